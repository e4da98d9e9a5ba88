#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ranks_faults: errors at random places are the same on all ranks, and the same as alone; a rank that ends is an error on the
others within five seconds. faults.py PROGRAM TRANSPORT MIRROR [SEED]"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import open_mpi

program, transport, mirror = sys.argv[1:4]
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
environment = dict(os.environ, **open_mpi.SETTINGS, SINTER_THREADS="1", SINTER_MEMORY_LIMIT="48M", SINTER_SHARE="always",
                   SINTER_RANKS_TIMEOUT="1")
DEVICE, USAGE = "5", "3"  # of sinter::ErrorKind
WAYS = ("kill", "_exit", "exit", "abort", "throw", "leave", "hang", "diverge", "alarm", "alarm", "alarm")
wrong = []


def run(arguments, count, launcher=(), **more):
    """What each rank wrote, the exit status, and the seconds it took."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        try:
            done = subprocess.run([*launcher, program, arguments[0], folder, *arguments[1:]], env=dict(environment, **more),
                                  capture_output=True, timeout=100)
            status = done.returncode
        except subprocess.TimeoutExpired:
            status = "none: it hangs"
        texts = [pathlib.Path(folder) / str(rank) for rank in range(count)]
        return [t.read_text() if t.exists() else "" for t in texts], status, time.monotonic() - start


def check_errors(name, count, number, launcher=(), **more):
    more["SINTER_RANKS_TIMEOUT"] = "60"  # nobody is silent, however busy the machine is
    alone = run(["errors", str(seed), str(number)], 1)[0][0].splitlines()
    ranks, status, _ = run(["errors", str(seed), str(number)], count, launcher, **more)
    lines = [text.splitlines() for text in ranks]
    kinds = {}
    if status != 0 or len(alone) != number:
        wrong.append(f"{name}: status {status}, {len(alone)} lines alone")
    for k in range(number):
        seen = {text[k] if k < len(text) else "nothing" for text in lines}
        line = seen.pop()
        kind = line[: len("memory: 4")]
        kinds[kind] = kinds.get(kind, 0) + 1
        # memory is missing on one rank, and how much there is depends on the number of ranks
        same = line == alone[k] or (line.startswith(("memory: 4", "memory: n")) and line.split(";")[-1] == alone[k].split(";")[-1])
        if seen or not same or "late" in line or "nothing" in line:
            wrong.append(f"{name}, fault {k}: {line} / {seen} / alone {alone[k]}")
    print(name, kinds)
    if "memory: 4" not in kinds:
        wrong.append(f"{name}: memory was never missing")


def check_death(name, number, way, count):
    ranks, status, seconds = run(["death", str(number), way], count, SINTER_RANKS=f"emulated:{count}")
    written = [text for text in ranks if text]
    expected = USAGE if way in ("leave", "diverge") else DEVICE
    survivors = count if way == "diverge" else count - 1
    names = count > 2 or expected == USAGE or all(f"rank {1 - k} has" in text for k, text in enumerate(ranks) if text)
    # a rank that hangs is ended by the launcher
    right = names and len(written) == survivors and all(text.startswith(expected + ": ") for text in written)
    if not right or seconds > 20 or (status == 0) != (way in ("leave", "exit", "diverge")):
        wrong.append(f"{name}: status {status} after {seconds:.1f} s, {ranks}")


def check_mirror():
    """A rank without memory, while halos travel that never arrive, throws: both errors at once do not end the process."""
    texts, status, _ = run(["mirror", "1", ""], 1, SINTER_TRANSPORT=mirror, OMPI_COMM_WORLD_SIZE="2")
    if status != 0 or not texts[0].startswith("4: ") or "no error" in texts[0]:
        wrong.append(f"mirror: status {status}, {texts}")


check_mirror()
check_errors("3 ranks", 3, 60, SINTER_RANKS="emulated:3")
check_errors("2 ranks", 2, 60, SINTER_RANKS="emulated:2,delay=3")
check_errors("7 ranks", 7, 30, SINTER_RANKS="emulated:7,int16")
for number, way in enumerate(WAYS * 3):
    check_death(f"death {number}, {way}", seed + number, way, (2, 3, 7)[number % 3])
if shutil.which("mpirun") and pathlib.Path(transport).exists():
    check_errors("mpirun -n 3", 3, 30, ["mpirun", "-n", "3"])
    for number, way in enumerate(WAYS[:9]):
        ranks, status, seconds = run(["death", str(seed + number), way], 2, ["mpirun", "-n", "2"])
        if seconds > 20 or (status == 0) != (way in ("leave", "diverge")) or "no error\n" in ranks:
            wrong.append(f"mpirun, {way}: status {status} after {seconds:.1f} s, {ranks}")
print("\n".join(wrong[:20]))
sys.exit(1 if wrong else 0)
