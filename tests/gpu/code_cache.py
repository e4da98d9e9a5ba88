#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""code_cache.py GPU_DRIVER: code that a driver has assembled is used by later processes, with the same driver only."""
import os
import subprocess
import sys
import tempfile


def run(folder, **environment):
    environment = dict(os.environ, SINTER_CACHE="on", SINTER_CACHE_DIR=folder, **environment)
    return subprocess.run([sys.argv[1], "one"], env=environment, stdout=subprocess.DEVNULL).returncode == 0


def kinds(folder):
    entries = [open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)]
    return sorted(kind for data in entries for kind in (b"kernel ", b"ptx ", b"cubin ") if kind in data[:64])


no_assembler = {"FAKE_DRIVER_FAILS": "cuLinkAddData:218"}
with tempfile.TemporaryDirectory() as folder:
    assert not run(folder, **no_assembler), "nothing is there yet"
    assert kinds(folder) == [b"kernel ", b"ptx "], kinds(folder)
    assert run(folder)
    assert kinds(folder) == [b"cubin ", b"kernel ", b"ptx "], kinds(folder)
    assert run(folder, **no_assembler), "what was assembled is found"
    assert not run(folder, FAKE_DRIVER_VERSION="12050", **no_assembler), "another driver's is not"
    assert not run(folder, FAKE_DRIVER_NAME="Other", **no_assembler), "another card's neither"
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        data = bytearray(open(path, "rb").read())
        data[-2] ^= 1
        open(path, "wb").write(data)
    assert not run(folder, **no_assembler), "what is damaged is not"
    assert run(folder) and run(folder, **no_assembler), "and is replaced"
