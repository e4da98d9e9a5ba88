#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""plot_fusion.py RESULTS.json PICTURE.png: how the search for clusters grows, from what sinter_fusion leaves.

Left: milliseconds by the number of operations; filled: proven to be the best. Right: how far the best found may be from the
best, and by how much T2 costs more.
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main(source, picture):
    data = json.load(open(source))
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5))
    for name in dict.fromkeys(r["program"] for r in data["results"]):
        rows = sorted((r for r in data["results"] if r["program"] == name), key=lambda r: r["vertices"])
        x = [r["vertices"] for r in rows]
        (line,) = left.plot(x, [r["search_ms"] for r in rows], label=name)
        for r in rows:
            left.plot(r["vertices"], r["search_ms"], "o", color=line.get_color(),
                      fillstyle="full" if r["gap"] < 1e-9 else "none")
        right.plot(x, [r["gap"] for r in rows], marker="o", color=line.get_color(), label=name + ": gap")
        right.plot(x, [r["t2"] - 1 for r in rows], linestyle=":", color=line.get_color(), label=name + ": T2 costs more by")
    left.axhline(data["deadline_ms"], color="black", linewidth=0.8, linestyle="--", label="deadline")
    left.set(xscale="log", yscale="log", xlabel="operations", ylabel="milliseconds", title="search")
    right.set(xscale="log", xlabel="operations", title="fractions of the cost")
    left.legend(fontsize=8)
    right.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
