#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py TOOL PROBE: the commands of the tool, on a cache of their own that PROBE fills."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

tool, probe = sys.argv[1:]
source = pathlib.Path(__file__).resolve().parents[2] / "tool"


def run(*command, expect=0, **environment):
    result = subprocess.run(command, env=os.environ | {"SINTER_CACHE": "on"} | environment, capture_output=True, text=True)
    assert result.returncode == expect, (command, result)
    return result.stdout + result.stderr


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name) / "cache"
    cache = {"SINTER_CACHE_DIR": str(folder)}
    assert "0 entries, 0.0 of 256 MiB (0 bytes)" in run(tool, "cache", "size", **cache)
    run(probe, **cache)
    entries = sorted(folder.glob("*.entry"))
    total = sum(path.stat().st_size for path in entries)
    listing = run(tool, "cache", "list", **cache).splitlines()
    assert sorted(line.split()[-1] for line in listing) == [str(path) for path in entries]
    assert {line.split()[3] for line in listing} == {"kernel", "object"}, listing
    assert f"of 1 MiB ({total} bytes)" in run(tool, "cache", "size", SINTER_CACHE_SIZE="1M", **cache)
    size = json.loads(run(tool, "cache", "size", "--json", **cache))
    assert size == {"folder": str(folder), "entries": len(entries), "bytes": total, "limit": 256 << 20}, size
    listed = json.loads(run(tool, "cache", "list", "--json", **cache))
    assert sorted(entry["file"] for entry in listed) == [str(path) for path in entries], listed
    entries[0].write_bytes(b"something else")
    assert "damaged" in run(tool, "cache", "list", **cache)

    report = run(tool, "doctor", **cache)
    for word in ("sinter ", "LLVM ", "processor ", "features ", "vectors ", "threads ", str(folder), "GPU driver ",
                 f"SINTER_CACHE_DIR={folder}", "calibrated   no"):
        assert word in report, (word, report)
    report = json.loads(run(tool, "doctor", "--json", **cache))
    assert report["environment"]["SINTER_CACHE_DIR"] == str(folder) and report["calibrated"].startswith("no"), report
    numbers = run(tool, "calibrate", **cache)
    for line in ("copy memory .* GB/s .*copy of what no cache holds", "call .* us ", "launch .* us ", "share loop .* us ",
                 "wake threads .* us ", "gather .* ns ", "exp f32 .* ns ", "processes that start"):
        assert re.search(line, numbers, re.I), (line, numbers)
    assert "calibrated   yes" in run(tool, "doctor", **cache)

    assert "Removed" in run(tool, "cache", "clear", **cache)
    assert not list(folder.glob("*.entry")) and list(folder.glob("*.calibration"))
    assert "cache        off" in run(tool, "doctor", SINTER_CACHE="off", **cache)
    assert "There is no cache" in run(tool, "cache", "size", SINTER_CACHE="off", **cache)
    run(tool, "calibrate", expect=1, SINTER_CACHE="off")
    assert json.loads(run(tool, "cache", "size", "--json", SINTER_CACHE="off", **cache))["folder"] is None

for incomplete, commands in ([], ("cache", "doctor", "calibrate")), (["cache"], ("list", "size", "clear")):
    said = run(tool, *incomplete, expect=2)
    assert all(re.search(f"^  {command} ", said, re.M) for command in commands), (incomplete, said)
for wrong, meant in (["docter"], "doctor"), (["cache", "lits"], "list"), (["doctor", "--jsno"], "--json"), (["nothing"], ""):
    said = run(tool, *wrong, expect=2)
    assert "sinter --help" in said and (f'Did you mean "{meant}"?' in said) == bool(meant), (wrong, said)
assert re.fullmatch(r"sinter \d+\.\d+\.\d+\n", run(tool, "--version"))

# The manual and the completion know every command and option.
text = {name: (source / name).read_text().replace("\\-", "-") for name in ("sinter.1", "completion.bash")}
commands = re.findall(r"^  (\w+) ", run(tool, "--help").split("Subcommands:")[1], re.M)
assert {"cache", "doctor", "calibrate"} <= set(commands), commands
for command in commands + re.findall(r"^  (\w+) ", run(tool, "cache", "--help").split("Subcommands:")[1], re.M):
    for name, content in text.items():
        assert command in content, (command, name)
for option in "--json", "--help", "--version":
    for name, content in text.items():
        assert option in content, (option, name)
completed = subprocess.run(
    ["bash", "-c", f"source {source}/completion.bash; COMP_WORDS=(sinter cache l); COMP_CWORD=2; _sinter; echo ${{COMPREPLY[@]}}"],
    capture_output=True, text=True)
assert completed.stdout == "list\n", completed
