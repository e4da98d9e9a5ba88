# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ratios of earlier runs, a line of JSON for each run, so that a regression shows."""
import datetime
import json
import os
import pathlib
import statistics
import subprocess

DEFAULT = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "sinter" / "bench-history.jsonl"
REGRESSION = 1.15  # a ratio to hand-written code this much above its usual value is reported


def remember(path, processor, now):
    """Appends a line to the history; prints what became slower than it usually was on this processor. True if nothing did."""
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    before = [line["ratios"] for line in lines if line["processor"] == processor]
    slower = []
    for name, ratio in now.items():
        past = [line[name] for line in before if name in line]
        if len(past) >= 3 and ratio > REGRESSION * statistics.median(past):
            slower.append(f"  {name}: {ratio:.2f}, usually {statistics.median(past):.2f}")
    here = pathlib.Path(__file__).resolve().parent
    commit = subprocess.run(["git", "-C", str(here), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    entry = {"date": datetime.date.today().isoformat(), "commit": commit.stdout.strip(), "processor": processor, "ratios": now}
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        file.write(json.dumps(entry) + "\n")
    print(f"\n{len(before)} earlier runs on this processor in {path}")
    if slower:
        print("slower than usual, against hand-written code:\n" + "\n".join(slower))
    return not slower
