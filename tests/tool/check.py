#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py TOOL PROBE: the commands of the tool, on a cache of their own that PROBE fills."""
import os
import pathlib
import subprocess
import sys
import tempfile

tool, probe = sys.argv[1:]


def run(*command, expect=0, **environment):
    result = subprocess.run(command, env=os.environ | {"SINTER_CACHE": "on"} | environment, capture_output=True, text=True)
    assert result.returncode == expect, (command, result)
    return result.stdout + result.stderr


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name) / "cache"
    cache = {"SINTER_CACHE_DIR": str(folder)}
    assert "0 entries, 0 of 268435456 bytes" in run(tool, "cache", "size", **cache)
    run(probe, **cache)
    entries = sorted(folder.glob("*.entry"))
    total = sum(path.stat().st_size for path in entries)
    listing = run(tool, "cache", "list", **cache).splitlines()
    assert sorted(line.split()[-1] for line in listing) == [str(path) for path in entries]
    assert {line.split()[3] for line in listing} == {"kernel", "object"}, listing
    assert f"{len(entries)} entries, {total} of 1048576 bytes" in run(tool, "cache", "size", SINTER_CACHE_SIZE="1M", **cache)
    entries[0].write_bytes(b"something else")
    assert "damaged" in run(tool, "cache", "list", **cache)

    report = run(tool, "doctor", **cache)
    for word in ("sinter ", "LLVM ", "processor ", "features ", "vectors ", "threads ", str(folder), "GPU driver ",
                 f"SINTER_CACHE_DIR={folder}", "calibrated   no"):
        assert word in report, (word, report)
    numbers = run(tool, "calibrate", **cache)
    for word in ("copy memory GB/s", "call us", "launch us", "share loop us", "wake threads us", "gather ns", "exp f32 ns"):
        assert word in numbers, (word, numbers)
    assert "calibrated   yes" in run(tool, "doctor", **cache)

    run(tool, "cache", "clear", **cache)
    assert not list(folder.glob("*.entry")) and list(folder.glob("*.calibration"))
    assert "cache        off" in run(tool, "doctor", SINTER_CACHE="off", **cache)
    assert "there is no cache" in run(tool, "cache", "size", SINTER_CACHE="off", **cache)
    run(tool, "calibrate", expect=1, SINTER_CACHE="off")
    for wrong in ([], ["cache"], ["nothing"], ["cache", "list", "all"]):
        assert "usage" in run(tool, *wrong, expect=2)
