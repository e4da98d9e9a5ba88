#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD FOLDER: the tests of the Python module against the library in BUILD. FOLDER is for an environment with
nanobind, and for what is built. Further arguments go to pytest. The interpreter is this one, or Debian's. Exit status 77, a
skipped test, where neither has NumPy, pytest and Python's headers, or where nanobind cannot be installed."""
import os
import pathlib
import subprocess
import sys

PYTHON = pathlib.Path(__file__).resolve().parent.parent


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


NEEDED = """
import numpy, pathlib, pytest, sysconfig
assert (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists(), "Python.h is missing: python3-dev"
"""


def can(python, program):
    return subprocess.run([python, "-c", program], capture_output=True).returncode == 0


def interpreter():
    for python in (sys.executable, "/usr/bin/python3"):
        if pathlib.Path(python).exists() and can(python, NEEDED):
            return python
    skip("no Python with NumPy, pytest and its headers: python3-numpy, python3-pytest, python3-dev")


def environment(folder):
    """The interpreter of a virtual environment that has nanobind and sees the packages of interpreter()."""
    python = folder / "venv" / "bin" / "python"
    if python.exists() and can(python, "import nanobind"):
        return python
    if subprocess.run([interpreter(), "-m", "venv", "--system-site-packages", folder / "venv"]).returncode:
        skip("no virtual environment can be made: python3-venv")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "nanobind>=3,<4"]
    if subprocess.run(install).returncode:
        skip("nanobind cannot be installed: is there no network?")
    return python


def main():
    build, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    python = environment(folder)
    settings = {"PYTHONPATH": PYTHON, "PYTHON_SINTER_PREFIX": build, "XDG_CACHE_HOME": folder, "SINTER_CACHE": "off"}
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", PYTHON / "tests", *sys.argv[3:]]
    sys.exit(subprocess.run(command, env=os.environ | {k: str(v) for k, v in settings.items()}).returncode)


main()
