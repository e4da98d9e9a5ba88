#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program alone, with several numbers of emulated ranks, and under mpirun if there is one and a transport for it: output and
file have the same bytes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import open_mpi

program, apart, work, transport, bytes_program, layouts = sys.argv[1:7]
closed = sys.argv[7] if len(sys.argv) > 7 else None  # not with sanitizers, which have to be loaded first
with_mpi = shutil.which("mpirun") and pathlib.Path(transport).exists()
environment = dict(os.environ, **open_mpi.SETTINGS, SINTER_THREADS="1")


def run(command, **more):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "a.npy"
        done = subprocess.run(command + [program, str(file)], env=dict(environment, **more), capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr.decode(), file.read_bytes() if file.exists() else b""


alone = run([])
if alone[0] != 0:
    sys.exit(f"alone: exit status {alone[0]}\n{alone[2]}")
wrong = []


def emulated(form):
    return [], {"SINTER_RANKS": "emulated:" + form}


def launched(count):
    return ["mpirun", "-n", str(count)], {}


def compare(count, way):
    launcher, more = way
    together = run(launcher, **more)
    name = " ".join(launcher) or str(more)
    if together[0] != 0 or together[1] != alone[1] or together[3] != alone[3]:
        wrong.append(f"{name}: status {together[0]}, output\n{together[1].decode()}\n{together[2]}")
    if count > 1 and f"{count} ranks" not in together[2]:
        wrong.append(f"{name}: {together[2]}")


def expect_errors(way):
    """Ranks that go different ways: all of them catch an error, and none waits for ever."""
    launcher, more = way
    cases = ("save", "throw", "type", "calls", "again", "kernels", "constants", "numbers", "reads", "thread", "fork")
    for case, caught in ((case, 4 if case == "again" else 2) for case in cases):
        try:
            done = subprocess.run(launcher + [apart, case], env=dict(environment, SINTER_SHARE="always", **more),
                                  capture_output=True, timeout=90)
            if done.returncode != 0 or done.stdout.count(b"caught") != caught:
                wrong.append(f"{case}: status {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
        except subprocess.TimeoutExpired:
            wrong.append(f"{case}: the ranks wait for each other")


def output_of(way, share):
    launcher, more = way
    done = subprocess.run(launcher + [work], env=dict(environment, SINTER_SHARE=share, **more), capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def compare_work(way, share="always"):
    """Launches that ranks share: by their work, or all that can be."""
    status, output, errors = output_of(way, share)
    if status != 0 or output != alone_work[1]:
        lines = zip(output.decode().splitlines(), alone_work[1].decode().splitlines())
        different = next((pair for pair in lines if pair[0] != pair[1]), "")
        wrong.append(f"work, {way}, {share}: status {status}, {different}\n{errors.decode()}")
    return errors


def compare_closed(way):
    """Where some ranks cannot map the memory of others, they are sent what they need."""
    for whose in ("all", "later"):
        launcher, more = way
        errors = compare_work((launcher, dict(more, LD_PRELOAD=closed, CLOSED=whose)))
        if b"is closed" not in errors:
            wrong.append(f"closed, {whose}: no rank has tried to map another's memory")


def compare_overwrites(ways):
    """Values that meet at one element, on several threads: the same wins for any number of ranks and threads."""
    def output(more):
        done = subprocess.run([work, "overwrites"], env=dict(environment, **more), capture_output=True, timeout=300)
        return done.returncode, done.stdout

    alone_overwrites = output({})
    for more in ways:
        if output(more) != alone_overwrites or alone_overwrites[0] != 0:
            wrong.append(f"overwrites, {more}: other values win")


def compare_bytes(way):
    """What is said of messages beside what is counted."""
    launcher, more = way
    done = subprocess.run(launcher + [bytes_program], env=dict(environment, SINTER_SHARE="always", **more), capture_output=True,
                          timeout=300)
    if done.returncode != 0:
        wrong.append(f"bytes, {way}: status {done.returncode}\n{done.stderr.decode()}")


def compare_layouts(ways):
    """Layouts that are chosen for all launches together."""
    outputs = {}
    for launcher, more in ways:
        done = subprocess.run(launcher + [layouts], env=dict(environment, **more), capture_output=True, timeout=300)
        outputs[done.stdout] = launcher, more
        if done.returncode != 0 or len(outputs) > 1:
            wrong.append(f"layouts, {launcher}, {more}: status {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")


def count_meetings(way):
    """One for each array that nobody has asked for yet, each step whose borders travel, and the sum, three for the filter, whose
    chunks end within others' rows, one to agree on whether it had better store something besides, and one at the end: where nothing is left that may fail on one rank alone, the ranks do not meet again."""
    launcher, more = way
    done = subprocess.run(launcher + [work, "meetings"], env=dict(environment, SINTER_LOG="launch", **more), capture_output=True,
                          text=True, timeout=300)
    met = set(re.findall(r"has met the others (\d+) times", done.stderr))
    if done.returncode != 0 or met != {"17"}:
        wrong.append(f"meetings, {way}: status {done.returncode}, {met}\n{done.stderr[-2000:]}")


for count in (1, 2, 3, 4, 7):
    compare(count, emulated(str(count)))
for count in (2, 3):
    count_meetings(emulated(str(count)))
compare_layouts([([], {})] + [emulated(form) for form in ("2", "3", "7", "3,int16,delay=2")])
for form in ("1", "2", "3", "7", "3,int16"):
    compare_bytes(emulated(form))
alone_work = output_of(([], {}), "")
for form in ("2", "3", "7", "3,int16,delay=1"):
    compare_work(emulated(form))
if closed:
    compare_closed(emulated("3"))
compare_work(emulated("3"), "")
compare_work(emulated("2"), "never")
compare_work(([], {"SINTER_RANKS": "emulated:2", "SINTER_THREADS": "3"}))
compare_overwrites([{"SINTER_THREADS": "4"}] + [{"SINTER_THREADS": "4", "SINTER_RANKS": f"emulated:{n}"} for n in (2, 3, 7)])
compare(3, emulated("3,int16,delay=1"))
expect_errors(emulated("2"))
for form in ("0", "65", "two", "2,later", "2,delay=x"):
    refused = run([], SINTER_RANKS="emulated:" + form)
    if refused[0] == 0 or "means nothing" not in refused[2]:
        wrong.append(f"emulated:{form}: status {refused[0]}\n{refused[2]}")
if with_mpi:
    for count in (1, 2, 3, 4, 7):
        compare(count, launched(count))
    for count in (2, 3):
        compare_work(launched(count))
    compare_bytes(launched(2))
    compare_layouts([([], {}), launched(2), launched(3)])
    expect_errors(launched(2))
    off = run(["mpirun", "-n", "2"], SINTER_RANKS="off")
    if off[0] != 0 or off[2].count("1 rank, no transport") != 2:
        wrong.append(f"SINTER_RANKS=off: status {off[0]}\n{off[2]}")
    missing = run(["mpirun", "-n", "2"], SINTER_TRANSPORT="/nowhere/transport.so")
    if missing[0] == 0 or "the transport between them cannot be" not in missing[2]:
        wrong.append(f"without a transport: status {missing[0]}\n{missing[2]}")
else:
    print("no mpirun, or no transport: emulated ranks only")
print(alone[1].decode() + "\n".join(wrong))
sys.exit(1 if wrong else 0)
