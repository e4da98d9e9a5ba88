#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py SOURCE -- FLAGS...: compiles SOURCE with a clang that has a <mdspan> and runs it; exits 77 where there is none."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

source, flags = sys.argv[1], sys.argv[3:]
compiler = shutil.which("clang++-19") or shutil.which("clang++")
command = [compiler, "-std=c++23", "-stdlib=libc++", "-Wall", "-Wextra", "-Werror", *flags]
with tempfile.TemporaryDirectory() as folder:
    probe = pathlib.Path(folder) / "probe.cpp"
    probe.write_text("#include <mdspan>\n#ifndef __cpp_lib_mdspan\n#error none\n#endif\nint main() {}\n")
    if compiler is None or subprocess.run([*command, str(probe), "-o", f"{folder}/probe"], capture_output=True).returncode:
        print("skipped: no clang++ with libc++ and <mdspan>")
        sys.exit(77)
    subprocess.run([*command, source, "-o", f"{folder}/test"], check=True)
    sys.exit(subprocess.run([f"{folder}/test"]).returncode)
