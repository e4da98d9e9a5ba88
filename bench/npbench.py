#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""npbench.py: kernels of NPBench in all forms in which they may be written in Sinter, beside plain and tiled C++, NumPy, Numba, JAX
and Pythran, which take turns in one run. Writes JSON, a table and a picture, and remembers ratios, so that a regression shows.

    bench/npbench.py [--build build] [--filter jacobi] [--missing] [--rounds 9] [--out bench-results/npbench]

Each kernel leaves a file of its own: a kernel measured again replaces what was measured before, --missing leaves out those that
are there, --rounds 0 measures nothing, and table and picture show all files. Libraries take part where they are installed for
the Python that runs this script (pip install numpy numba jax pythran); their results are compared with plain C++'s.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import history

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE / "peers"), str(HERE / "npbench" / "python")]

import npbench_report  # noqa: E402
from sampling import sample  # noqa: E402

try:
    import libraries
except ImportError:
    libraries = None

KERNELS = ("jacobi_1d", "jacobi_2d", "heat_3d", "hdiff", "vadv", "fdtd_2d", "atax", "bicg", "mvt", "gemver", "lu", "cholesky",
           "softmax", "mlp", "conv2d", "nbody", "mandelbrot", "spmv", "azimint", "floyd_warshall", "go_fast")
SLOW = 1  # seconds: what takes longer is called once and no further


class Peers:
    """The Python libraries' side of a kernel: compiled, checked and called once when it has its first turn."""

    def __init__(self, kernel, data, work):
        self.kernel, self.data, self.work = kernel, data, work
        self.calls = self.samples = None

    def prepare(self, tolerance):
        self.samples, self.calls = {}, {}
        for name, call in (libraries.calls(self.kernel, self.data, self.work) if libraries else {}).items():
            difference = libraries.difference(call(), self.data)
            if not difference <= tolerance:
                print(f"{self.kernel}: {name} differs from plain C++ by {difference:.2g}", file=sys.stderr)
                continue
            start = time.perf_counter()
            call()
            once = time.perf_counter() - start
            if once < SLOW:
                self.calls[name], self.samples[name] = call, []
            else:
                self.samples[name] = [once]

    def turn(self, tolerance):
        if self.calls is None:
            self.prepare(tolerance)
            return
        for name, call in self.calls.items():
            self.samples[name].append(sample(call))

    def results(self):
        return [{"name": name, "median": statistics.median(s), "fastest": min(s)} for name, s in (self.samples or {}).items()]


def measure(kernel, given, out):
    """Lets sinter_npbench and the libraries take turns; leaves KERNEL.json in `out`."""
    data = out / "data"
    command = [f"{given.build}/bench/sinter_npbench", "--filter", kernel, "--rounds", str(given.rounds), "--data", str(data),
               "--json", str(out / "new.json"), "--turns", "yes"]
    peers = Peers(kernel, data / kernel, out / "pythran")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.startswith("turn "):
                peers.turn(float(line.split()[2]))
                process.stdin.write("\n")
                process.stdin.flush()
    shutil.rmtree(data / kernel, ignore_errors=True)
    if process.returncode != 0:
        return False
    measured = json.loads((out / "new.json").read_text())
    measured["rows"][0]["results"] += peers.results()
    (out / f"{kernel}.json").write_text(json.dumps(measured, indent=1))
    (out / "new.json").unlink()
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="build folder")
    parser.add_argument("--filter", default="", help="only kernels whose name contains this")
    parser.add_argument("--missing", action="store_true", help="only kernels that were not measured yet")
    parser.add_argument("--rounds", default=9, type=int)
    parser.add_argument("--out", default="bench-results/npbench", type=pathlib.Path, help="folder for results, table and picture")
    parser.add_argument("--history", default=history.DEFAULT, type=pathlib.Path)
    given = parser.parse_args()
    out = given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    wanted = [k for k in KERNELS if given.filter in k and given.rounds > 0]
    if given.missing:
        wanted = [k for k in wanted if not (out / f"{k}.json").exists()]
    right = True
    for kernel in wanted:
        print(kernel, flush=True)
        right = measure(kernel, given, out) and right
    found = [json.loads(file.read_text()) for k in KERNELS if (file := out / f"{k}.json").exists()]
    if not found:
        return 1
    rows, machine = [row for f in found for row in f["rows"]], found[-1]["machine"]
    (out / "table.md").write_text(npbench_report.table(rows))
    (out / "npbench.svg").write_text(npbench_report.picture(rows, machine))
    print(npbench_report.table(rows))
    now = {f"npbench {r['name']}": round(npbench_report.of_cpp(r), 4) for r in rows if r["name"] in wanted}
    steady = history.remember(given.history, machine["processor"], now) if now else True
    return 0 if right and steady else 1


if __name__ == "__main__":
    sys.exit(main())
