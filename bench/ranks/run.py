#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times programs on two ranks of one thread, beside one rank of two threads and of one, and beside Dask and HeAT (two ranks) where
they are installed: in turns, so that whatever disturbs the machine disturbs all of them. Prints medians over the turns, as ratios to one rank of two
threads.

    bench/ranks/run.py build/bench/sinter_ranks [case ..] [--turns 7] [--calls 9] [--python python3]"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("cases", nargs="*")
parser.add_argument("--turns", type=int, default=7)
parser.add_argument("--calls", type=int, default=9)
parser.add_argument("--python", default="python3")
options = parser.parse_args()
# variables of release 4 and of release 5
open_mpi = dict(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")
program = [options.program, str(options.calls), *options.cases]
ways = {"1 rank, 2 threads": (program, {"SINTER_THREADS": "2"}), "1 rank, 1 thread": (program, {"SINTER_THREADS": "1"}),
        "2 emulated ranks": (program, {"SINTER_THREADS": "1", "SINTER_RANKS": "emulated:2"})}
if shutil.which("mpirun"):
    ways["2 ranks, MPI"] = (["mpirun", "-n", "2", *program], {"SINTER_THREADS": "1", **open_mpi})
if subprocess.run([options.python, "-c", "import dask.array"], capture_output=True).returncode == 0:
    ways["dask, 2 threads"] = ([options.python, str(pathlib.Path(__file__).parent / "dask_programs.py"), str(options.calls)], {})
if "2 ranks, MPI" in ways and subprocess.run([options.python, "-c", "import heat"], capture_output=True).returncode == 0:
    heat = [options.python, str(pathlib.Path(__file__).parent / "heat_programs.py"), str(options.calls)]
    ways["heat, 2 ranks"] = (["mpirun", "-n", "2", *heat], open_mpi)
times, numbers, bytes_received = {}, {}, {}
for _ in range(options.turns):
    for way, (command, more) in ways.items():
        output = subprocess.run(command, env=dict(os.environ, **more), check=True, capture_output=True, text=True).stdout
        for line in output.splitlines():
            name, seconds, spent, number, *received = line.split("\t")
            if numbers.setdefault(name, number) != number and not way.startswith(("dask", "heat")):
                raise SystemExit(f"{name}: {way} computes {number}, and not {numbers[name]}")
            bytes_received[name, way] = int(received[0]) if received else 0
            times.setdefault(name, {}).setdefault(way, []).append((float(seconds), float(spent)))
for name, by_way in times.items():
    if "1 rank, 2 threads" not in by_way:
        continue
    base = statistics.median(seconds for seconds, _ in by_way["1 rank, 2 threads"])
    for way, all_times in by_way.items():
        seconds, spent = (statistics.median(t) for t in zip(*all_times))
        print(f"{name:<18}{way:<20}{seconds * 1e3:10.2f} ms {seconds / base:8.2f}    processor time {spent * 1e3:8.2f} ms"
              f"{bytes_received[name, way]:12} bytes received")
