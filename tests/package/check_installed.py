#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_installed.py BUILD: whatever `cmake --install BUILD` takes from a build by Ninja is made by the target sinter_installed."""
import pathlib
import re
import subprocess
import sys

build = pathlib.Path(sys.argv[1]).resolve()
rules = (build / "build.ninja").read_text()
installed = set()
for script in [build / "cmake_install.cmake", build / "tool" / "cmake_install.cmake"]:
    for path in re.findall(r'"(%s/[^"]+)"' % re.escape(str(build)), script.read_text()):
        name = str(pathlib.Path(path).relative_to(build))
        if re.search(r"^build [^:\n]*\b%s[ :]" % re.escape(name), rules, re.MULTILINE):
            installed.add(name)
commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "sinter_installed"], capture_output=True, text=True)
missing = sorted(name for name in installed if not re.search(r"[ /]%s(\s|$)" % re.escape(name), commands.stdout))
print(f"{len(installed)} files that are built are installed")
for name in missing:
    print(f"{name} is not made by sinter_installed")
sys.exit(1 if missing or not installed or commands.returncode else 0)
