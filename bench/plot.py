#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""plot.py RESULTS.json PICTURE.png: Sinter beside the best hand-written version, from what sinter_bench --json leaves.

Left: time of Sinter over time of the best hand-written version, by size, f32 (1 is as fast as hand-written). Right: the share
of the machine's bandwidth at the largest size.
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.ticker

HAND = ("gcc", "clang")


def best(row, prefixes):
    times = [r["median"] for r in row["results"] if r["name"].startswith(prefixes)]
    return min(times) if times else None


def main(source, picture):
    data = json.load(open(source))
    rows = [r for r in data["rows"] if best(r, ("sinter",)) and best(r, HAND)]
    names = list(dict.fromkeys(r["name"] for r in rows))
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5))

    for name in names:
        points = sorted((r["n"], best(r, ("sinter",)) / best(r, HAND)) for r in rows if r["name"] == name and r["type"] == "f32")
        if points:
            left.plot(*zip(*points), marker="o", label=name)
    left.axhline(1, color="black", linewidth=0.8)
    left.set(xscale="log", yscale="log", xlabel="elements", ylabel="time of Sinter / best hand-written", title="f32")
    left.set_xscale("log", base=2)
    left.set_yticks([0.5, 1, 2, 4], ["0.5", "1", "2", "4"])
    left.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    left.legend(fontsize=8)

    bars = [(r["name"], r["type"], r) for r in rows if r["n"] == max(s["n"] for s in rows) and r["name"] != "mandelbrot"]
    for offset, kind, colour in ((-0.2, "f32", "tab:blue"), (0.2, "f64", "tab:orange")):
        shares = {name: 100 * r["bytes"] / best(r, ("sinter",)) / r["limit"] for name, t, r in bars if t == kind}
        hand = {name: 100 * r["bytes"] / best(r, HAND) / r["limit"] for name, t, r in bars if t == kind}
        places = [names.index(name) + offset for name in shares]
        right.barh(places, list(shares.values()), height=0.38, color=colour, label=f"Sinter, {kind}")
        right.plot(list(hand.values()), places, "k|", markersize=12, label="best hand-written" if kind == "f64" else None)
    shown = [name for name in names if name != "mandelbrot"]
    right.set_yticks([names.index(name) for name in shown], shown)
    right.invert_yaxis()
    right.set(xlabel="% of measured bandwidth", title="largest size")
    right.legend(fontsize=8)

    machine = data["machine"]
    figure.suptitle(f"{machine['processor']}, {machine['threads']} threads")
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
