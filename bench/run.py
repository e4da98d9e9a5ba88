#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py: the whole comparison in one command. Runs sinter_bench and the Python libraries one after another, prints the time
of Sinter over that of each of them, writes JSON and pictures, and remembers the ratios, so that a regression shows.

    bench/run.py [--build build] [--sizes 14,20,26] [--filter saxpy] [--rounds 9] [--out bench-results]

A peer is in the table where it is installed: libeigen3-dev, libxtensor-dev, python3-numpy, python3-numexpr, python3-numba;
Dr.Jit as its own documentation says, for the Python that runs this script.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import chart
import history

HERE = pathlib.Path(__file__).resolve().parent

COLUMNS = {
    "g++": ("gcc",), "clang": ("clang",), "par_unseq": ("par_unseq",), "eigen": ("eigen",), "xtensor": ("xtensor",),
    "numpy": ("numpy",), "numexpr": ("numexpr",), "numba": ("numba",), "drjit": ("drjit",),
}


def best(row, prefixes):
    times = [r["median"] for r in row["results"] if r["name"].startswith(prefixes)]
    return min(times) if times else None


def python_peers(rows, rounds):
    sys.path.insert(0, str(HERE / "peers"))
    try:
        import python_peers as peers
    except ImportError:
        print("no NumPy: the Python libraries are left out")
        return
    for row in rows:
        row["results"] += peers.measure(row["name"], row["type"], row["n"], rounds)


def time_text(seconds):
    return f"{seconds * 1e6:.2f} us" if seconds < 1e-3 else f"{seconds * 1e3:.3f} ms"


def print_table(rows):
    shown = {name: keys for name, keys in COLUMNS.items() if any(best(row, keys) for row in rows)}
    print(f"\ntime of Sinter over time of\n{'case':<18}{'type':<5}{'size':>5}{'Sinter':>12}{'GB/s':>8}{'of limit':>9}"
          + "".join(f"{name:>11}" for name in shown))
    for row in rows:
        own = best(row, ("sinter",))
        rate = row["bytes"] / own
        cells = [f"{own / best(row, keys):>11.2f}" if best(row, keys) else f"{'':>11}" for keys in shown.values()]
        print(f"{row['name']:<18}{row['type']:<5}{'2^' + str(row['n'].bit_length() - 1):>5}{time_text(own):>12}"
              f"{rate / 1e9:>8.1f}{rate / row['limit']:>9.0%}" + "".join(cells))


def ratios(rows):
    """Time over the best hand-written version's: what does not depend on the machine's mood."""
    return {f"{row['name']} {row['type']} {row['n']}": round(best(row, ("sinter",)) / best(row, ("gcc", "clang")), 4)
            for row in rows if best(row, ("gcc", "clang"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="build folder")
    parser.add_argument("--sizes", default="14,16,20,24,26", help="logarithms of the numbers of elements")
    parser.add_argument("--filter", default="", help="only cases whose name contains this")
    parser.add_argument("--type", default="", choices=["", "f32", "f64"])
    parser.add_argument("--rounds", default=9, type=int)
    parser.add_argument("--out", default="bench-results", help="folder for results.json, results.png and chart.svg")
    parser.add_argument("--history", default=history.DEFAULT, type=pathlib.Path)
    given = parser.parse_args()
    out = pathlib.Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    results = out / "results.json"
    command = [f"{given.build}/bench/sinter_bench", "--sizes", given.sizes, "--rounds", str(given.rounds), "--json", str(results)]
    for option in ("filter", "type"):
        if getattr(given, option):
            command += ["--" + option, getattr(given, option)]
    subprocess.run(command, check=True)
    data = json.loads(results.read_text())
    python_peers(data["rows"], given.rounds)
    results.write_text(json.dumps(data, indent=1))
    print_table(data["rows"])
    chart.main(results, out / "chart.svg")
    try:
        import plot
        plot.main(results, out / "results.png")
    except ImportError:
        print("no matplotlib: no picture")
    return 0 if history.remember(given.history, data["machine"]["processor"], ratios(data["rows"])) else 1


if __name__ == "__main__":
    sys.exit(main())
