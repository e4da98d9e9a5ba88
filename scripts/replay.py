#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""replay.py [--save FILE | --check FILE] [--target host|gpu] [BUILD]: the LLVM IR of every kernel that the tests of a build
generate, for the host, for the emulated gpu, or for both.

A change that only moves code changes no kernel: save before it, check after it, on one machine. FILE gets one
digest per kernel; --check says how many kernels there are no more and how many are new, and prints the first new one."""
import argparse
import hashlib
import os
import pathlib
import subprocess
import sys

EMULATED = {"SINTER_TARGET": "gpu_emulated"}
TESTS = {
    "host": [({}, ["tests/conform", "~[long]~[memory_limit]"]), ({}, ["tests/programs"])],
    "gpu": [(EMULATED, ["tests/conform", "~[long]~[memory_limit]"]), (EMULATED, ["tests/gpu_kernels", "all"])],
}
ROOT = pathlib.Path(__file__).resolve().parent.parent


def kernels(build, settings, test):
    """The texts that a test's processes generate, as they come."""
    environment = os.environ | {"SINTER_DUMP": "llvm", "SINTER_CACHE": "off"} | settings
    process = subprocess.Popen([build / test[0], *test[1:]], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    lines = []
    for line in process.stderr:
        if line.startswith(b"--- llvm") and lines:
            yield b"".join(lines)
            lines = []
        lines.append(line)
    if lines:
        yield b"".join(lines)
    if process.wait() != 0:
        sys.exit(f"{test[0]} fails")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--target", choices=TESTS, help="only this one's kernels")
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build")
    arguments = parser.parse_args()
    known = set(arguments.check.read_text().split()) if arguments.check else set()
    seen, new = set(), []
    targets = [arguments.target] if arguments.target else list(TESTS)
    for settings, test in [test for target in targets for test in TESTS[target]]:
        for text in kernels(arguments.build.resolve(), settings, test):
            digest = hashlib.blake2b(text, digest_size=16).hexdigest()
            if digest not in seen and digest not in known:
                new.append(text)
            seen.add(digest)
    print(f"{len(seen)} kernels, {hashlib.blake2b(''.join(sorted(seen)).encode(), digest_size=16).hexdigest()}")
    if arguments.save:
        arguments.save.write_text("\n".join(sorted(seen)) + "\n")
    if not arguments.check:
        return 0
    print(f"{len(known - seen)} are there no more, {len(new)} are new")
    if new:
        sys.stdout.write(new[0].decode())
    return 1 if new or known - seen else 0


sys.exit(main())
