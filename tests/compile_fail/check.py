#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py CASE.cpp -- COMPILER FLAGS...

A case compiles as it stands, does not compile with SINTER_BAD defined, and what the compiler then says matches each
regular expression of its `// expect: regex` lines. Without the first half a missing header would look like success.
"""
import re
import subprocess
import sys


def compile_case(command, case, bad):
    flags = ["-fsyntax-only"] + (["-DSINTER_BAD"] if bad else [])
    done = subprocess.run(command + flags + [case], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


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
        if not re.search(pattern, text):
            sys.exit(f"{case}: the compiler does not say /{pattern}/\n{text}")
    print(f"{len(text.splitlines())} lines of diagnostics")


main()
