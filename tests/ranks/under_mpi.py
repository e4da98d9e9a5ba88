#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a part of the suite, and random programs, as processes that mpirun starts: under_mpi.py CONFORM RANDOM_PROGRAMS TRANSPORT
[COUNT ..]. What ranks do together is the same for emulated ones, which run all of it; here it goes through MPI. Exit status 77, a
skipped test, without an mpirun or a transport."""
import os
import pathlib
import shutil
import subprocess
import sys

import open_mpi

conform, random_programs, transport = sys.argv[1:4]
counts = sys.argv[4:] or ["2", "3", "4", "7"]
if not shutil.which("mpirun") or not pathlib.Path(transport).exists():
    print("no mpirun, or no transport for it")
    sys.exit(77)
# Every way in which ranks share launches, loops, files, and what a few of them have no points for.
tags = ["stencil", "scan", "gather", "overwrites", "filter", "loops", "contract", "files"]
cases = ",".join(f"[{tag}]~[long]~[memory_limit]~[one_process]" for tag in tags)
environment = dict(os.environ, **open_mpi.SETTINGS, SINTER_SHARE="always", SINTER_THREADS="1", SINTER_RANDOM_COUNT="20")
wrong = []
for count in counts:
    for command in ([conform, cases], [random_programs]):
        try:
            done = subprocess.run(["mpirun", "-n", count, *command], env=environment, capture_output=True, text=True, timeout=3000)
        except subprocess.TimeoutExpired:
            wrong.append(f"{count} ranks, {command[0]}: the ranks wait for each other")
            continue
        if done.returncode != 0 or "No test" in done.stdout:
            wrong.append(f"{count} ranks, {command[0]}: status {done.returncode}\n{done.stdout[-5000:]}\n{done.stderr[-5000:]}")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
