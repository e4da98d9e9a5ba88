#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py PROGRAM TRANSPORT: the program writes the same files, and reads the same arrays, on any number of ranks, and goes on from a
checkpoint that another number of ranks has made. Files in Fortran order, of other byte order and compressed ones are read."""
import array
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "ranks"))
import open_mpi

program, transport = sys.argv[1:3]
environment = dict(os.environ, **open_mpi.SETTINGS, SINTER_THREADS="1")
wrong = []
WAYS = {"1": ([], {}), **{str(n): ([], {"SINTER_RANKS": f"emulated:{n}"}) for n in (2, 3, 7)},
        "3, short messages": ([], {"SINTER_RANKS": "emulated:3,int16,delay=1"}),
        "3, all in blocks": ([], {"SINTER_RANKS": "emulated:3", "SINTER_SHARE": "always"}),
        "3, nothing in blocks": ([], {"SINTER_RANKS": "emulated:3", "SINTER_SHARE": "never"})}
if shutil.which("mpirun") and pathlib.Path(transport).exists():
    WAYS.update({f"mpirun {n}": (["mpirun", "-n", str(n)], {}) for n in (2, 3)})
else:
    print("no mpirun, or no transport: emulated ranks only")


def run(way, folder, *case, **more):
    launcher, settings = WAYS[way]
    done = subprocess.run(launcher + [program, str(folder), *case], env=dict(environment, **settings, **more),
                          capture_output=True, timeout=120)
    if done.returncode != 0:
        wrong.append(f"{way}, {case}: status {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")
    return done.stdout.decode()


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def compare(name, mine, alone):
    if mine != alone:
        if isinstance(mine, dict):
            mine = [file for file in alone if mine.get(file) != alone[file]] + [file for file in mine if file not in alone]
        wrong.append(f"{name}: other results than one rank's:\n{mine}")


def folder_of(root, name):
    folder = root / name.replace(", ", "_").replace(" ", "_")
    folder.mkdir()
    return folder


def npy(shape, elements, descr="<f4", fortran=False):
    """A file of these elements, in the order in which they are to be in the file."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header.encode() + elements


def archive(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, contents_ in members.items():
            file.writestr(name + ".npy", contents_)


def check_arrays(root):
    alone = None
    for way in WAYS:
        folder = folder_of(root, way)
        mine = run(way, folder, "arrays"), contents(folder)
        alone = alone or mine
        compare(f"arrays, {way}", mine[0], alone[0])
        compare(f"files, {way}", mine[1], alone[1])
    with zipfile.ZipFile(root / "1" / "all_4001.npz") as file:  # checks the sums
        if file.testzip() or file.read("a.npy") != alone[1]["f32_4001.npy"] or file.read("z.npy") != alone[1]["c8_4001.npy"]:
            wrong.append("an archive has other arrays than the files")


def check_foreign(root):
    rows, columns = 5000, 7
    by_rows = array.array("f", range(rows * columns)).tobytes()
    by_columns = array.array("f", (i * columns + j for j in range(columns) for i in range(rows))).tobytes()
    arrays = {"fortran": npy((rows, columns), by_columns, fortran=True), "tall": npy((rows, columns), by_rows),
              "flat": npy((columns, rows), by_rows, fortran=True)}
    for name, file in arrays.items():
        (root / f"{name}.npy").write_bytes(file)
    deep = array.array("d", (x for k in range(7) for j in range(50) for i in range(40) for x in ((i * 50 + j) * 7 + k, 1)))
    (root / "deep.npy").write_bytes(npy((40, 50, 7), deep.tobytes(), "<c16", True))
    big = array.array("i", range(rows * columns))
    big.byteswap()
    (root / "big.npy").write_bytes(npy((rows, columns), big.tobytes(), ">i4"))
    archive(root / "foreign.npz", arrays)
    archive(root / "compressed.npz", arrays, zipfile.ZIP_DEFLATED)
    (root / "cut.npy").write_bytes(arrays["tall"][:-5])
    archive(root / "damaged.npz", {"a": arrays["tall"]})
    damaged = bytearray((root / "damaged.npz").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (root / "damaged.npz").write_bytes(damaged)
    for case in ("foreign", "errors"):
        alone = run("1", root, case)
        for way in WAYS:
            compare(f"{case}, {way}", run(way, root, case), alone)
        print(alone)
        if "no error" in alone:
            wrong.append(f"{case}: an error is missing")


def check_heat(root):
    """A loop is interrupted twice, and each part is made by another number of ranks."""
    end = run("1", folder_of(root, "whole"), "heat", "30")
    for k, way in enumerate(WAYS):
        folder = folder_of(root, way)
        others = list(WAYS)[k + 1:] + list(WAYS)[:k]
        run(way, folder, "heat", "11")
        run(others[0], folder, "heat", "20")
        compare(f"heat, {way}", run(way, folder, "heat", "30"), end)
        compare(f"checkpoint, {way}", contents(folder), contents(root / "whole"))


def run_until_killed(way, folder, steps, victim, saves):
    """Starts a job, and ends one of its ranks after so many checkpoints, wherever it is then."""
    launcher, settings = WAYS[way]
    with subprocess.Popen(launcher + [program, str(folder), "long", steps], env=dict(environment, **settings),
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        last, limit = None, time.time() + 60
        while saves > 0 and process.poll() is None and time.time() < limit:
            time.sleep(0.003)
            path = folder / "heat.npz"
            now = path.stat().st_mtime_ns if path.exists() else None
            last, saves = now, saves - (now != last)
        if process.poll() is None:
            os.kill(int((folder / f"process{victim}").read_text()), signal.SIGKILL)
        try:
            if process.wait(timeout=30) == 0:
                wrong.append(f"{way}: the job has ended well without rank {victim}")
        except subprocess.TimeoutExpired:
            process.kill()
            wrong.append(f"{way}: the job goes on without rank {victim}")


def check_killed(root):
    """A rank is killed in the middle of a job, twice; another number of ranks goes on from the last checkpoint."""
    steps = "1500"
    end = run("1", folder_of(root, "whole"), "heat", steps)
    expected = (root / "whole" / "heat.npz").read_bytes()
    ways = [way for way in WAYS if way.startswith("mpirun")] or ["2", "3"]
    for k, way in enumerate(ways):
        folder, other, last = folder_of(root, way), ways[(k + 1) % len(ways)], ways[k - 1]
        run_until_killed(way, folder, steps, 1, 3)
        run_until_killed(other, folder, steps, 0, 4)
        compare(f"killed, {way}, {other}, {last}", run(last, folder, "heat", steps), end)
        compare(f"checkpoint after kills, {way}", (folder / "heat.npz").read_bytes(), expected)
        compare(f"alone after kills, {way}", run("1", folder, "heat", steps), end)


def check_images(root):
    alone = run("1", folder_of(root, "alone"), "images")
    for way in WAYS:
        if way != "1":
            compare(f"images, {way}", run(way, folder_of(root, way), "images"), alone)
            compare(f"files of images, {way}", contents(root / way.replace(", ", "_").replace(" ", "_")), contents(root / "alone"))


def check_atomic(root):
    """Whatever ends the program, the last checkpoint is complete: a kill at any time, a full disk."""
    for way in ("1", "3"):
        launcher, settings = WAYS[way]
        for milliseconds in (60, 120, 190, 270):
            with subprocess.Popen([program, str(root), "saves"], env=dict(environment, **settings), start_new_session=True,
                                  stderr=subprocess.DEVNULL) as process:
                time.sleep(milliseconds / 1000)
                os.killpg(process.pid, signal.SIGKILL)
            if run("1", root, "complete"):
                wrong.append(f"{way}: killed after {milliseconds} ms: the checkpoint is not complete")
    before = (root / "saves.npz").read_bytes()

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    done = subprocess.run([program, str(root), "saves"], env=environment, capture_output=True, timeout=60, preexec_fn=limit)
    if done.returncode == 0 or b"saves.npz.new cannot be written: File too large" not in done.stderr:
        wrong.append(f"no room for a checkpoint: status {done.returncode}\n{done.stderr.decode()}")
    compare("no room", (root / "saves.npz").read_bytes(), before)


def check_large(root):
    """32 MB on 4 ranks, each of which has room for 20."""
    (root / "large.npy").write_bytes(npy((1 << 11, 1 << 11), array.array("d", range(1 << 22)).tobytes(), "<f8"))
    WAYS["4"] = ([], {"SINTER_RANKS": "emulated:4"})
    if run("4", root, "large", SINTER_MEMORY_LIMIT="20M"):
        wrong.append("large: other rows")
    compare("large", (root / "large_copy.npy").read_bytes(), (root / "large.npy").read_bytes())


for check in (check_arrays, check_foreign, check_heat, check_killed, check_images, check_atomic, check_large):
    with tempfile.TemporaryDirectory() as folder:
        check(pathlib.Path(folder))
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
