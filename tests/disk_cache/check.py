#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py PROBE [ARGUMENT..]: programs give right results whatever has happened to the disk cache, and repair it."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

probe = sys.argv[1:]


def start(**environment):
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("SINTER_CACHE", "XDG_", "HOME"))}
    return subprocess.Popen(probe, env=inherited | environment, stdout=subprocess.PIPE, text=True)


def finish(process):
    output, _ = process.communicate()
    assert process.returncode == 0 and output == "right\n", (process.returncode, output)


def run(folder, **environment):
    finish(start(SINTER_CACHE_DIR=str(folder), **environment))


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def damaged(data, choice):
    """A copy that is cut, or has a bit flipped, somewhere."""
    position = choice.randrange(len(data))
    if choice.random() < 0.5:
        return data[:position]
    return data[:position] + bytes([data[position] ^ 1 << choice.randrange(8)]) + data[position + 1:]


def check_hits(folder):
    run(folder)
    before = content(folder)
    assert len(before) >= 6 and all(name.endswith(".entry") for name in before), before.keys()
    inodes = {path.name: path.stat().st_ino for path in folder.iterdir()}
    run(folder)
    assert inodes == {path.name: path.stat().st_ino for path in folder.iterdir()}, "nothing is compiled again"


def check_damage(folder):
    good = content(folder)
    choice = random.Random(1)
    for _ in range(40):
        for name, data in good.items():
            (folder / name).write_bytes(damaged(data, choice))
        run(folder)
        assert content(folder) == good, "damaged entries are replaced"


def check_foreign(folder):
    good = content(folder)
    names = sorted(good)
    for name, other in zip(names, names[1:] + names[:1]):
        (folder / name).write_bytes(good[other])
    run(folder)
    assert content(folder) == good


def check_kills(folder):
    for round in range(30):
        shutil.rmtree(folder, ignore_errors=True)
        process = start(SINTER_CACHE_DIR=str(folder))
        time.sleep(0.01 + 0.003 * round)
        process.kill()
        process.communicate()
        run(folder)


def check_race(folder):
    for _ in range(5):
        shutil.rmtree(folder, ignore_errors=True)
        for process in [start(SINTER_CACHE_DIR=str(folder)) for _ in range(4)]:
            finish(process)
        assert all(name.endswith(".entry") for name in content(folder))


def check_without(folder):
    """No folder to write to, or one that cannot be written."""
    finish(start(SINTER_CACHE="off", SINTER_CACHE_DIR=str(folder / "off")))
    assert not (folder / "off").exists()
    finish(start())
    finish(start(HOME="relative"))
    run("/proc/self/no")
    run("/dev/null/no")
    read_only = folder / "read_only"
    read_only.mkdir()
    read_only.chmod(0o500)
    run(read_only)
    run(folder / "small", SINTER_CACHE_SIZE="3K")
    finish(start(HOME=str(folder)))
    assert list((folder / ".cache/sinter").glob("*.entry"))
    finish(start(HOME=str(folder), XDG_CACHE_HOME=str(folder / "xdg")))
    assert list((folder / "xdg/sinter").glob("*.entry"))


def check_full_disk(folder):
    """On a file system of 16 KiB, where this process may mount one."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "sinter_test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
        print("no full disk: cannot mount")
        return
    try:
        run(folder)
        run(folder)
    finally:
        subprocess.run(["umount", str(folder)], check=True)


with tempfile.TemporaryDirectory() as name:
    for check in (check_hits, check_damage, check_foreign, check_kills, check_race):
        check(pathlib.Path(name) / "cache")
    check_without(pathlib.Path(name))
    check_full_disk(pathlib.Path(name) / "full")
