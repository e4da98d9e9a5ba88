#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""derivatives.py: what derivatives cost beside their functions, in Sinter and in JAX, which take turns in one run.

    bench/derivatives.py [--build build] [--filter heat] [--rounds 3]

In each round, sinter_derivatives prints medians of nine calls of the function and its derivative, and JAX takes the same; the
table has medians of the rounds, in milliseconds, and the bytes of JAX's temporary arrays. Needs JAX (pip install "jax[cpu]").
A second row of a program is JAX with checkpoints.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "derivatives"))

import jax  # noqa: E402
from programs import programs  # noqa: E402

TURNS = 9
LEAST = 0.01  # seconds that a sample takes at least


def seconds(call, times):
    start = time.perf_counter()
    for _ in range(times):
        result = call()
    jax.block_until_ready(result)
    return (time.perf_counter() - start) / times


def of_jax(function, derivative):
    """Medians of samples that take turns."""
    calls = [(call, max(1, int(LEAST / seconds(call, 1)))) for call in (function, derivative)]
    samples = [[seconds(call, times) for call, times in calls] for _ in range(TURNS)]
    return [1e3 * statistics.median(each) for each in zip(*samples)]


def of_sinter(program, name):
    table = subprocess.run([program, name], capture_output=True, text=True, check=True).stdout
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == name:
            return [float(cells[1]), float(cells[2])]
    raise SystemExit(f"{program} has no row {name}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--filter", default="")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    binary = f"{options.build}/bench/sinter_derivatives"
    print("| program | Sinter: function | with derivatives | ratio | JAX: function | with derivatives | ratio | MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    for name, function, derivative, arguments in programs():
        if options.filter not in name:
            continue
        compiled = [jax.jit(f).lower(*arguments).compile() for f in (function, derivative)]
        f, g = (lambda c=c: c(*arguments) for c in compiled)
        seconds(f, 1), seconds(g, 1)
        rounds = [of_sinter(binary, name) + of_jax(f, g) for _ in range(options.rounds)]
        median = [statistics.median(each) for each in zip(*rounds)]
        ratio = [statistics.median(r[k + 1] / r[k] for r in rounds) for k in (0, 2)]
        megabytes = compiled[1].memory_analysis().temp_size_in_bytes / 1e6
        print(f"| {name} | {median[0]:.2f} | {median[1]:.2f} | {ratio[0]:.2f} | {median[2]:.2f} | {median[3]:.2f} | "
              f"{ratio[1]:.2f} | {megabytes:.1f} |", flush=True)


if __name__ == "__main__":
    main()
