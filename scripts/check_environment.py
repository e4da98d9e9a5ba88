#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_environment.py: docs/reference/environment.md has the variables that lib/support/settings.cpp knows, and no other."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def known():
    """Names of the table in the source, down to those of the project's own scripts and tests."""
    text = (ROOT / "lib" / "support" / "settings.cpp").read_text()
    table = re.search(r"constexpr Setting settings\[\] = \{(.*?)// For this project's own", text, re.DOTALL)[1]
    return set(re.findall(r'"(SINTER_\w+)"', table))


def documented():
    page = (ROOT / "docs" / "reference" / "environment.md").read_text()
    return set(re.findall(r"^\| `(SINTER_\w+)", page, re.MULTILINE))


def main():
    code, page = known(), documented()
    for name in sorted(code - page):
        print(f"{name} is in the table of settings.cpp and not in environment.md")
    for name in sorted(page - code):
        print(f"{name} is in environment.md and not in the table of settings.cpp")
    print(f"{len(code)} variables")
    return 0 if code and code == page else 1


if __name__ == "__main__":
    sys.exit(main())
