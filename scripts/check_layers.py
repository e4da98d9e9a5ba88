#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every layer includes only what stands before it:

include/detail < support < transport < ir < front < convert < opt < enable < ad < pipeline < fuse < lower < schedule < place
< interp < run < jit; within enable, slices < flatten < lift. Public headers include public headers only; nothing but the folders of jit/ that make up libsinter-codegen.so
includes headers of LLVM. What knows one kind of processor stands in the folders named arch. Prints each offence as
file:line; exits with 1 if there are any.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = ["support", "transport", "ir", "front", "convert", "opt", "enable", "ad", "pipeline", "fuse", "lower", "schedule", "place", "interp", "run"]
# Of jit/: what a folder may include of the others. Those of LLVM make up libsinter-codegen.so; of them the others may include
# what needs no LLVM itself, which the build sees to.
JIT_FOLDERS = {
    "generator": {"generator"},
    "emit": {"emit"},
    "host": {"generator", "emit", "host"},
    "gpu": {"generator", "emit", "gpu"},
    "codegen": {"generator", "emit", "gpu", "codegen"},
}
# Of lib/enable: the same. Its files outside of folders may include any and be included by any.
ENABLE_FOLDERS = {
    "slices": {"slices"},
    "flatten": {"slices", "flatten"},
    "lift": {"slices", "flatten", "lift"},
    "index": {"slices", "index"},
    "loops": {"slices", "loops"},
    "merge": {"merge"},
    "filters": {"slices", "merge", "filters"},
}
LLVM_FOLDERS = ("jit/emit/", "jit/gpu/emit/", "jit/codegen/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
FOREIGN = re.compile(r"^(llvm|llvm-c|clang)/|^cuda(\.|_|$)|^nvrtc")
PROCESSOR = re.compile(r'__(x86_64|i386|aarch64)__|x?mmintrin|arm_neon|cpuid\.h|\b_mm\d*_|\basm volatile\("[^"]|'
                       r'Intrinsic::(x86|aarch64)|Intrinsics(X86|AArch64)\.h|"avx|\b(EM|R)_(X86_64|AARCH64)')
SUFFIXES = {".hpp", ".cpp", ".def", ".inc"}


def layer_of(path):
    """(rank, name) of a file or of an included path relative to the root; None if it belongs to no layer."""
    parts = path.parts
    if parts[0] == "include":
        return -1, "include"
    if parts[0] == "lib" and parts[1] in LAYERS:
        return LAYERS.index(parts[1]), parts[1]
    if parts[0] == "jit":
        return len(LAYERS), "jit/" + parts[1]
    return None


def resolve(included, file):
    """The project file that an include names, relative to the root, or None for a foreign header."""
    for base in (file.parent, ROOT / "include", ROOT / "lib", ROOT):
        candidate = (base / included).resolve()
        if candidate.is_file() and candidate.is_relative_to(ROOT):
            return candidate.relative_to(ROOT)
    return None


def enable_folder(path):
    """The folder of lib/enable that a file is in; None if it is in none of them."""
    return path.parts[2] if path.parts[:2] == ("lib", "enable") and len(path.parts) > 3 else None


def offence(user, included, target):
    """What is wrong with `included` (resolved to `target`) in `user`, or an empty string."""
    rank, name = layer_of(user)
    if target is None:
        if FOREIGN.match(included) and not str(user).startswith(LLVM_FOLDERS):
            return "only " + ", ".join(LLVM_FOLDERS) + " may include it"
        first = included.split("/")[0]
        return "no such file" if first in LAYERS + ["sinter", "jit", "lib"] else ""
    found = layer_of(target)
    if found is None:
        return "it belongs to no layer"
    if name == "include":
        return "" if found[1] == "include" else "public headers include public headers only"
    if name.startswith("jit/") and found[1].startswith("jit/"):
        return "" if found[1][4:] in JIT_FOLDERS.get(name[4:], {name[4:]}) else f"{found[1]} is no part of {name}"
    mine, other = enable_folder(user), enable_folder(target)
    if mine and other and other not in ENABLE_FOLDERS.get(mine, {mine}):
        return f"enable/{other} is no part of enable/{mine}"
    return "" if found[0] <= rank else f"{found[1]} stands after {name}"


def main():
    files = [f for top in ("include", "lib", "jit") for f in sorted((ROOT / top).rglob("*")) if f.suffix in SUFFIXES]
    offences = 0
    for file in files:
        user = file.relative_to(ROOT)
        if layer_of(user) is None:
            print(f"{user}: in no known layer")
            offences += 1
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if "/arch/" not in str(user) and PROCESSOR.search(line):
                print(f"{user}:{number}: {line.strip()}: belongs into a folder arch/")
                offences += 1
            found = INCLUDE.match(line)
            why = offence(user, found[1], resolve(found[1], file)) if found else ""
            if why:
                print(f"{user}:{number}: {found[1]}: {why}")
                offences += 1
    print(f"{len(files)} files, {offences} offences against the layers")
    return 1 if offences or not files else 0


sys.exit(main())
