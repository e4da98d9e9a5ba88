#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""static_destructors.py OBJECTS: no object of the library has anything destroyed when the process ends.

Other threads may be at work then, and handlers of the end may run programs. The exception says that LLVM has ended.
"""
import subprocess
import sys

EXCEPTION = "llvm_use.cpp.o"

objects = sys.argv[1:]
listing = subprocess.run(["nm", "-Au", *objects], capture_output=True, text=True, check=True).stdout
found = [line.split(":")[0] for line in listing.splitlines() if line.endswith(" __cxa_atexit")]
bad = [path for path in found if not path.endswith(EXCEPTION)]
print(f"{len(objects)} objects, destructors are registered by {len(found)}")
print("\n".join(bad))
sys.exit(1 if bad or len(found) != 1 else 0)
