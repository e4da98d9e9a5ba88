#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py CASE.cpp -- COMPILER FLAGS...

A case compiles as it stands and does not compile with SINTER_BAD defined. The first error of the compiler then matches each
regular expression of the case's `// expect: regex` lines, and there are at most as many lines as a user can read. (clang, and
g++ since 14, quote the source of all that leads to an error: they have limits of their own.) Without the first half a missing
header would look like success.
"""
import re
import subprocess
import sys

LINES = {"g++": 25, "g++ that quotes": 50, "clang": 45}


def compile_case(command, case, bad):
    flags = ["-fsyntax-only"] + (["-DSINTER_BAD"] if bad else [])
    done = subprocess.run(command + flags + [case], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def limit(command):
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True).stdout
    if "clang" in version:
        return LINES["clang"]
    release = subprocess.run([command[0], "-dumpversion"], capture_output=True, text=True).stdout
    return LINES["g++ that quotes" if int(release.split(".")[0]) >= 14 else "g++"]


def first_error(text):
    return next((line for line in text.splitlines() if "error: " in line), "")


def main():
    case, command = sys.argv[1], sys.argv[3:]
    expected = re.findall(r"^// expect: (.*)$", open(case).read(), re.M)
    if not expected:
        sys.exit(f"{case}: no `// expect:` line")
    compiles, text = compile_case(command, case, bad=False)
    if not compiles:
        sys.exit(f"{case}: must compile without SINTER_BAD\n{text}")
    compiles, text = compile_case(command, case, bad=True)
    if compiles:
        sys.exit(f"{case}: must not compile with SINTER_BAD")
    for pattern in expected:
        if not re.search(pattern, first_error(text)):
            sys.exit(f"{case}: the compiler does not begin with /{pattern}/\n{text}")
    lines = len(text.splitlines())
    if lines > limit(command):
        sys.exit(f"{case}: {lines} lines of diagnostics, more than {limit(command)}\n{text}")
    print(f"{lines} lines of diagnostics")


main()
