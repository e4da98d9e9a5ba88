#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program alone and under mpirun with several numbers of ranks: output and file have the same bytes. Exits with 77 where
there is no mpirun, or no transport for it."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, apart, transport = sys.argv[1:4]
if not shutil.which("mpirun") or not pathlib.Path(transport).exists():
    print("no mpirun, or no transport: skipped")
    sys.exit(77)
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", SINTER_THREADS="1")


def run(command, **more):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "a.npy"
        done = subprocess.run(command + [program, str(file)], env=dict(environment, **more), capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr.decode(), file.read_bytes() if file.exists() else b""


alone = run([])
if alone[0] != 0:
    sys.exit(f"alone: exit status {alone[0]}\n{alone[2]}")
wrong = []
for count in (1, 2, 3, 4, 7):
    together = run(["mpirun", "-n", str(count)])
    if together[0] != 0 or together[1] != alone[1] or together[3] != alone[3]:
        wrong.append(f"{count} ranks: status {together[0]}, output\n{together[1].decode()}\n{together[2]}")
    if count > 1 and f"{count} ranks" not in together[2]:
        wrong.append(f"{count} ranks: {together[2]}")
off = run(["mpirun", "-n", "2"], SINTER_RANKS="off")
if off[0] != 0 or off[2].count("1 rank, no transport") != 2:
    wrong.append(f"SINTER_RANKS=off: status {off[0]}\n{off[2]}")
missing = run(["mpirun", "-n", "2"], SINTER_TRANSPORT="/nowhere/transport.so")
if missing[0] == 0 or "the transport between them cannot be" not in missing[2]:
    wrong.append(f"without a transport: status {missing[0]}\n{missing[2]}")
for case, caught in (("save", 2), ("throw", 2), ("type", 2), ("calls", 2), ("again", 4)):
    try:
        done = subprocess.run(["mpirun", "-n", "2", apart, case], env=environment, capture_output=True, timeout=20)
        if done.returncode != 0 or done.stdout.count(b"caught") != caught:
            wrong.append(f"{case}: status {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
    except subprocess.TimeoutExpired:
        wrong.append(f"{case}: the ranks wait for each other")
print(alone[1].decode() + "\n".join(wrong))
sys.exit(1 if wrong else 0)
