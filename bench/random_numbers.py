#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_numbers.py [--build build] [--rounds 7]: random numbers on one thread, in Sinter, with C++26's std::philox4x32, and in NumPy (its
default generator and its Philox), which take turns in one run: nanoseconds of processor time per number of arrays of 65,536, medians
of the rounds, and what that is in GB/s. Needs NumPy. What others publish for cuRAND stands below the table.
"""
import argparse
import os
import statistics
import subprocess
import time

import numpy

N = 65536
REPEATS = 8
# A card of 2016: E. Duvanenko, "GPU random number generators", 2017, https://duvanenko.tech.blog/2017/01/29/gpu-random-number-generators
PUBLISHED = "cuRAND 8.0, XORWOW and Philox, uniform floats on a GeForce GTX 1070: more than 46e9 numbers/s, 184 GB/s (Duvanenko 2017)"


def calls_of(generator):
    """By row of sinter_random: what fills an array."""
    single, double = numpy.empty(N, numpy.float32), numpy.empty(N)
    return {
        "bits": lambda: generator.integers(0, 2**32, N, numpy.uint32),
        "uniform<float>": lambda: generator.random(out=single, dtype=numpy.float32),
        "uniform<double>": lambda: generator.random(out=double),
        "normal<float>": lambda: generator.standard_normal(out=single, dtype=numpy.float32),
        "normal<double>": lambda: generator.standard_normal(out=double),
    }


def nanoseconds(call):
    call()
    start = time.process_time_ns()
    for _ in range(REPEATS):
        call()
    return (time.process_time_ns() - start) / (REPEATS * N)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    program = [f"{options.build}/bench/sinter_random", "7"]
    environment = dict(os.environ, SINTER_THREADS="1")
    samples = {}
    generators = [calls_of(numpy.random.default_rng(1)), calls_of(numpy.random.Generator(numpy.random.Philox(1)))]
    for _ in range(options.rounds):
        printed = subprocess.run(program, capture_output=True, text=True, check=True, env=environment).stdout
        for line in printed.splitlines():
            name, sinter, standard = line.split()
            numbers = [float(sinter), float(standard)] + [nanoseconds(calls[name]) for calls in generators]
            samples.setdefault(name, []).append(numbers)
    print(f"NumPy {numpy.__version__}; ns per number")
    print("| | Sinter | GB/s | std::philox4x32 | NumPy | NumPy, Philox | Sinter beside NumPy |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, rounds in samples.items():
        sinter, standard, default, philox = (statistics.median(column) for column in zip(*rounds))
        gigabytes = (8 if "double" in name else 4) / sinter
        ratio = statistics.median(round[2] / round[0] for round in rounds)
        print(f"| `{name}` | {sinter:.2f} | {gigabytes:.2f} | {standard:.2f} | {default:.2f} | {philox:.2f} | {ratio:.1f} |")
    print(PUBLISHED)


main()
