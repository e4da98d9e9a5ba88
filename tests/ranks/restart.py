#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs restart (option price, heat, k-means, multigrid, LULESH, breadth-first search) alone and on several ranks, and stops and resumes
it on other numbers of ranks: every output has the bits of one rank. restart.py PROGRAM TRANSPORT"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import open_mpi

program, transport = sys.argv[1:3]
environment = dict(os.environ, **open_mpi.SETTINGS, SINTER_THREADS="1")
with_mpi = shutil.which("mpirun") and pathlib.Path(transport).exists()
wrong = []


def run(ranks, part, folder, share):
    launcher, more = [], {"SINTER_SHARE": share}
    if ranks > 1 and with_mpi:
        launcher = ["mpirun", "-n", str(ranks)]
    elif ranks > 1:
        more["SINTER_RANKS"] = f"emulated:{ranks}"
    done = subprocess.run([*launcher, program, part, folder], env=dict(environment, **more), capture_output=True, text=True,
                          timeout=500)
    if done.returncode != 0:
        wrong.append(f"{part} on {ranks} ranks, {share}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def compare(what, output, alone):
    different = [pair for pair in zip(output.splitlines(), alone.splitlines()) if pair[0] != pair[1]]
    if output != alone:
        wrong.append(f"{what}: {different[:3] or output}")


with tempfile.TemporaryDirectory() as folder:
    alone = run(1, "whole", folder, "")
    if len(alone.splitlines()) != 20:
        wrong.append(f"alone: {alone}")
    for ranks in (2, 3, 4, 7):
        compare(f"{ranks} ranks", run(ranks, "whole", folder, "always" if ranks == 3 else ""), alone)
    for before, after in ((1, 2), (2, 3), (3, 4), (4, 7), (7, 1)):
        run(before, "begin", folder, "always")
        compare(f"{before} ranks, then {after}", run(after, "resume", folder, "always"), alone)
if not with_mpi:
    print("no mpirun, or no transport: emulated ranks only")
print(alone + "\n".join(wrong))
sys.exit(1 if wrong else 0)
