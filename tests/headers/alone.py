#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""alone.py INCLUDE_DIR -- COMPILER FLAGS...: every public header compiles alone, twice included, without a warning."""
import pathlib
import subprocess
import sys
import tempfile

root, command = pathlib.Path(sys.argv[1]), sys.argv[3:]
headers = sorted(str(h.relative_to(root)) for h in root.rglob("*.hpp"))
failed = []
with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "alone.cpp"
    for header in headers:
        source.write_text(f"#include <{header}>\n#include <{header}>\n")
        done = subprocess.run(command + ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
                               "-Werror", "-fsyntax-only", str(source)],
                              capture_output=True, text=True)
        if done.returncode != 0:
            failed.append(header)
            print(f"{header}\n{done.stderr}")
print(f"{len(headers)} headers, {len(failed)} do not compile alone: {' '.join(failed)}")
sys.exit(1 if failed or not headers else 0)
