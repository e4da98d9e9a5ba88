#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py [--memory KILOBYTES] PROBE LIBSINTER LIBSINTER_CODEGEN: a process that finds its kernels on disk does not load the
code generator, and takes little memory; where the code generator is missing, no library or of another build, the error says so."""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile

ABI = re.compile(r"(.*\.so\.\d+\.\d+)")
RESULT = re.compile(r"right loaded=(\d) kilobytes=(\d+)\n")


class Place:
    """A folder with copies of the libraries, and a disk cache."""

    def __init__(self, root, name, options):
        self.probe, self.folder = options.probe, root / name
        self.folder.mkdir(mode=0o700)
        self.library = self.folder / ABI.match(options.library.name)[1]
        self.part = self.folder / ABI.match(options.part.name)[1]
        self.library.write_bytes(options.library.read_bytes())

    def run(self, *arguments, cache="off", preload=None):
        settings = {"SINTER_CACHE": "off"} if cache == "off" else {"SINTER_CACHE_DIR": str(cache)}
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("SINTER_", "XDG_", "HOME"))}
        environment = inherited | settings | {"LD_PRELOAD": str(preload or self.library)}
        done = subprocess.run([self.probe, *arguments], env=environment, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
        return done.stdout

    def result(self, *arguments, **options):
        output = self.run(*arguments, **options)
        assert RESULT.match(output), output
        return tuple(int(number) for number in RESULT.match(output).groups())

    def fails(self, *words):
        output = self.run()
        for word in ("code cannot be generated", "probe.cpp:", *words):
            assert word in output, (word, output)


def of_other_build(part):
    """A copy of the library whose digest of the build is another one."""
    digests = set(re.findall(rb"\0([0-9a-f]{40})\0", part))
    assert len(digests) == 1, digests
    return part.replace(digests.pop(), b"0" * 40)


def check(root, options):
    part = options.part.read_bytes()
    whole, bare = Place(root, "whole", options), Place(root, "bare", options)
    whole.part.write_bytes(part)
    cache = root / "cache"
    assert whole.result(cache=cache)[0] == 1, "what is not on disk is compiled"
    for place in (whole, bare):
        loaded, kilobytes = place.result(cache=cache)
        assert loaded == 0, "what is on disk is not"
        assert not options.memory or kilobytes < options.memory, kilobytes
    assert whole.result("elsewhere", preload="./" + whole.library.name)[0] == 1
    assert bare.result("interpreter")[0] == 0
    bare.fails(f"{bare.part.name} is not in {bare.folder}/, where libsinter.so is")
    bare.part.write_bytes(b"no library")
    bare.fails(f"{bare.part} cannot be loaded (")
    bare.part.write_bytes(of_other_build(part))
    bare.fails(f"{bare.part.name} belongs to another build")
    bare.part.write_bytes(part)
    assert bare.result()[0] == 1


parser = argparse.ArgumentParser()
parser.add_argument("--memory", type=int, default=0)
for name in ("probe", "library", "part"):
    parser.add_argument(name, type=pathlib.Path)
with tempfile.TemporaryDirectory() as folder:
    check(pathlib.Path(folder), parser.parse_args())
