#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exported_symbols.py LIBRARY: the shared library exports names of namespace sinter and nothing else."""
import subprocess
import sys

# A template's name starts with its return type, so look for the first name that is qualified or has arguments.
PREFIXES = ("typeinfo for ", "typeinfo name for ", "vtable for ", "VTT for ", "guard variable for ", "non-virtual thunk to ")


def is_own(name):
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return name.startswith("sinter::") or (" sinter::" in name and "llvm::" not in name)


listing = subprocess.run(["nm", "-DC", "--defined-only", sys.argv[1]], capture_output=True, text=True, check=True).stdout
names = [line.split(maxsplit=2)[2] for line in listing.splitlines()]
foreign = [name for name in names if not is_own(name)]
print(f"{len(names)} symbols exported, {len(foreign)} foreign")
print("\n".join(foreign[:20]))
sys.exit(1 if foreign or not names else 0)
