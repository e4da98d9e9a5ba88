#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles the PTX of every kernel that a program compiles for the emulated gpu.

  assemble.py [--table FILE --llvm RELEASE] [--each] -- PROGRAM ARGUMENTS

Runs the program, then ptxas for each architecture on what it left. --each: the program lists names without arguments, and is
run with each of them. --table: registers and spilled bytes of each must be as in FILE, where that was written with this ptxas
and the release of LLVM that --llvm names (SINTER_BLESS=1 writes it). Exits 77 where there is no ptxas.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ARCHITECTURES = ["sm_75", "sm_80", "sm_90"]
TARGET = re.compile(r"^\.target sm_(\d+)", re.M)
USED = re.compile(r"Compiling entry function '(\w+)'.*?(\d+) bytes spill stores.*?Used (\d+) registers", re.S)


def find_ptxas():
    return shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")


def make_ptx(command, folder):
    environment = dict(os.environ, SINTER_TARGET="gpu_emulated", SINTER_PTX_DIR=str(folder))
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode


def assemble(ptxas, path, architecture):
    """(message, [(entry, registers, spilled bytes)])"""
    done = subprocess.run([ptxas, f"-arch={architecture}", "-v", str(path), "-o", "/dev/null"], capture_output=True, text=True)
    text = done.stdout + done.stderr
    message = f"{path} {architecture}:\n{text}" if done.returncode else ""
    return message, [(entry, int(registers), int(spilled)) for entry, spilled, registers in USED.findall(text)]


def runs_on(path, architecture):
    """False for cards older than those that the module is for, which may have no tensor cores."""
    return int(TARGET.search(path.read_text()).group(1)) <= int(architecture.removeprefix("sm_"))


def table_rows(name, results):
    rows = []
    for architecture, entries in results:
        rows += [f"{name:16} {entry:8} {architecture:6} {registers:4} {spilled:6}" for entry, registers, spilled in entries]
    return sorted(rows)


def compare(file, version, rows):
    header = [f"# {version}", f"# {'kernel':14} {'entry':8} {'for':6} {'regs':>4} {'spills':>6}"]
    text = "\n".join(header + rows) + "\n"
    if os.environ.get("SINTER_BLESS"):
        file.write_text(text)
    expected = file.read_text()
    if expected.splitlines()[0] != header[0]:
        print(f"{file} was written with {expected.splitlines()[0][2:]}, and is not compared with what {version} makes")
        return True
    if expected != text:
        print(f"registers are not as in {file} (SINTER_BLESS=1 writes it):\n{text}")
    return expected == text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--llvm", default="")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    ptxas = find_ptxas()
    if not ptxas:
        print("no ptxas here: skipped")
        return 77
    version = subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout.splitlines()[-2].strip()
    version = f"LLVM {options.llvm}, {version}"
    names = subprocess.run(options.command, capture_output=True, text=True).stdout.split() if options.each else [None]
    failures, rows, count = 0, [], 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            failures += make_ptx(options.command + ([name] if name else []), folder) != 0
            paths = sorted(pathlib.Path(folder).glob("*.ptx"))
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                jobs = [(a, pool.submit(assemble, ptxas, p, a)) for p in paths for a in ARCHITECTURES if runs_on(p, a)]
                results = [(a, job.result()) for a, job in jobs]
        for _, (message, _) in results:
            failures += message != ""
            print(message, end="")
        count += len(paths)
        rows += table_rows(name or "", [(a, entries) for a, (_, entries) in results])
    print(f"{count} modules, {len(rows)} kernels assembled, {failures} failures")
    if options.table and not compare(options.table, version, rows):
        failures += 1
    return 1 if failures or not count else 0


sys.exit(main())
