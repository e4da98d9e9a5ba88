#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets the compiler of a build tree read sources, with the flags of the build, without generating code: warnings and errors
in a fraction of the time. What they include precompiled has to be built before.

    scripts/check_syntax.py BUILD FOLDER..      # e.g. build bench: the files of bench/ as `build` would compile them
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def syntax_only(command: str) -> list[str]:
    words = shlex.split(command)
    words = words[1:] if pathlib.Path(words[0]).name == "ccache" else words
    at = words.index("-o")
    return words[:at] + words[at + 2 :] + ["-fsyntax-only"]


def check(entry: dict) -> str:
    done = subprocess.run(syntax_only(entry["command"]), cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    folders = tuple(str(ROOT / folder) + os.sep for folder in sys.argv[2:])
    entries = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text())
    entries = [entry for entry in entries if entry["file"].startswith(folders) and "cmake_pch" not in entry["file"]]
    if not entries:
        print(f"no file of {' '.join(sys.argv[2:])} is compiled in {sys.argv[1]}")
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(check, entries) if text]
    print("\n".join(failures), end="")
    print(f"{len(entries)} files, {len(failures)} with errors")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
