#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exported_symbols.py LIBRARY ABI_VERSION [--exact]: what the shared library exports.

Only names of namespace sinter, all of the version of the ABI; and every name of abi.txt, which programs compiled with an earlier
version of that ABI may need (docs/versioning.md). A name that is not in abi.txt is printed, and is wrong with --exact, as a package
is made: SINTER_BLESS=1 adds it.
"""
import os
import pathlib
import re
import subprocess
import sys

# A template's name starts with its return type, so look for the first name that is qualified or has arguments.
PREFIXES = ("typeinfo for ", "typeinfo name for ", "vtable for ", "VTT for ", "guard variable for ", "non-virtual thunk to ")
LIST = pathlib.Path(__file__).with_name("abi.txt")
# Layers of the library: what the code generator of the same build calls, and no program.
INSIDE = re.compile(r"sinter::(ir|lower|schedule|front|runtime|codegen|CriticalSection\b|check\b|fail_check\b|is_verifying\b|dumps?\b|while_alone\b)")


def plain(name):
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return name


def is_own(name):
    return plain(name).startswith("sinter::") or (" sinter::" in name and "llvm::" not in name)


def exported(library):
    """Mangled names and their versions."""
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in text.splitlines()]
    return dict((line[2].split("@")[0], line[2].rpartition("@")[2]) for line in lines if line[1] != "A")


def main():
    library, abi = sys.argv[1], "SINTER_" + sys.argv[2]
    names = exported(library)
    readable = dict(zip(names, subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True,
                                              check=True).stdout.splitlines()))
    wrong = [f"foreign: {readable[name]}" for name in names if not is_own(readable[name])]
    wrong += [f"not of version {abi}: {readable[name]}" for name, version in names.items() if version != abi]
    known = {line for line in LIST.read_text().splitlines() if line and not line.startswith("#")}
    wrong += [f"gone: {name}" for name in sorted(known - names.keys())]
    new = sorted(name for name in names if name not in known and not INSIDE.match(plain(readable[name])))
    if os.environ.get("SINTER_BLESS") == "1":
        head = [line for line in LIST.read_text().splitlines() if line.startswith("#")]
        LIST.write_text("\n".join(head + sorted((known & names.keys()) | set(new))) + "\n")
    elif "--exact" in sys.argv:
        wrong += [f"not in {LIST.name}: {readable[name]}" for name in new]
    else:
        print("".join(f"new: {readable[name]}\n" for name in new), end="")
    print(f"{len(names)} symbols exported, {len(known)} of them promised, {len(new)} new, {len(wrong)} wrong")
    print("\n".join(wrong[:20]))
    return 1 if wrong or not names else 0


sys.exit(main())
