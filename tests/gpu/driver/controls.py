#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the test driver notices what is missing: controls.py [--table] GPU_KERNELS [kernel ...]

Each kernel of gpu_kernels runs once for every instruction of its PTX that synchronises threads, without that instruction; a
load that acquires, or a store that releases, then is relaxed, and a relaxed access is plain. So does it for every wait of a stream for an event. The run has to fail, under one of a few seeds. Some barriers end what a block does for one point, one part or one chunk:
they matter where a block does several, and PROVED_BY names the program in which it does. Prints what was not noticed and
exits 1 if there is such a thing; --table prints, for docs/hacking.md, how each kernel's were noticed. Runs in the
environment of the driver's other tests.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SEEDS = range(1, 9)
SECONDS = 300
PROVED_BY = {
    "partial bar.sync": "sums_of_long_rows",
    "finish bar.sync": "sums_of_long_rows",
    "update bar.sync": "bins_of_floats",
    "move bar.sync": "sorted_rows",
    "report membar.gl": "first_failure",
    "stream cuStreamWaitEvent": "branches",
}
# Programs of several threads, whose instructions have other numbers in every run.
UNNUMBERED = {"branches_of_threads"}
COLUMNS = ["race", "lanes or threads apart", "wrong result", "other fault", "proved by another"]


def environment(**settings):
    return os.environ | {f"SINTER_TEST_DRIVER_{name}": str(value) for name, value in settings.items()}


def run(program, kernel, **settings):
    return subprocess.run([program, kernel], env=environment(**settings), capture_output=True, text=True, timeout=SECONDS)


def synchronising(program, kernel):
    """Instructions that can be dropped: [(number, what it is and where)]"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "list"
        done = run(program, kernel, SEED=1, LIST=path)
        if done.returncode != 0:
            sys.exit(f"{kernel} fails as it is: {done.stderr}")
        lines = path.read_text().splitlines() if path.exists() else []
    return [(int(number), text) for number, text in (line.split(" ", 1) for line in lines)]


def kind(done):
    """How a failed run was noticed: one of COLUMNS."""
    if "no barrier orders" in done.stderr:
        return COLUMNS[0]
    if re.search("different (instructions|barriers)|has ended|for ever", done.stderr):
        return COLUMNS[1]
    return COLUMNS[3] if "test driver:" in done.stderr else COLUMNS[2]


def noticed(program, kernel, number):
    """How it was noticed that an instruction was missing, and under which seed; None if it was not."""
    for seed in SEEDS:
        done = run(program, kernel, SEED=seed, DROP=number)
        if done.returncode != 0:
            return kind(done), seed
    return None


def check(program, kernel):
    """({instruction: Counter of kinds}, what was not noticed)"""
    found, missed = collections.defaultdict(collections.Counter), []
    for number, text in synchronising(program, kernel):
        result = noticed(program, kernel, number)
        instruction = text.split()[-1]
        proved = PROVED_BY.get(text, kernel) != kernel
        found[instruction][result[0] if result else COLUMNS[4]] += 1
        if not result and not proved:
            missed.append(f"{kernel}: number {number}, {text}")
    return found, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("program")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    listed = subprocess.run([options.program], capture_output=True, text=True).stdout.split()
    kernels = options.kernels or [name for name in listed if name not in UNNUMBERED]
    missed = []
    if options.table:
        print("| kernel | instruction | of them |", " | ".join(COLUMNS), "|")
        print("|---|---|---|" + "---|" * len(COLUMNS))
    for kernel in kernels:
        found, others = check(options.program, kernel)
        missed += others
        for instruction, counts in sorted(found.items()) if options.table else []:
            numbers = " | ".join(str(counts[column] or "") for column in COLUMNS)
            print(f"| {kernel} | `{instruction}` | {counts.total()} | {numbers} |", flush=True)
    for line in missed:
        print("not noticed:", line)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
