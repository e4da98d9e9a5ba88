#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""chart.py RESULTS.json CHART.svg: bars of how long other libraries take, relative to Sinter, from what run.py leaves.

For each case the largest f32 size at which every library of the chart was measured. Needs nothing but Python.
"""
import json
import sys
import xml.sax.saxutils

LIBRARIES = {"Sinter": "sinter", "Eigen": "eigen", "xtensor": "xtensor", "Dr.Jit": "drjit", "NumPy": "numpy"}
COLOURS = {"Sinter": "#1f5fa8", "Eigen": "#e08a2e", "xtensor": "#5aa469", "Dr.Jit": "#8d6ab8", "NumPy": "#9a9a9a"}
WIDTH, LEFT, BAR, GAP, TOP = 800, 150, 13, 14, 52
LONGEST = 8.0  # what is longer is cut off, with its number beside it


def best(row, prefix):
    return min((r["median"] for r in row["results"] if r["name"].startswith(prefix)), default=None)


def choose(rows):
    """One row for each case, and the libraries that any of them has."""
    chosen = {}
    for row in rows:
        peers = [name for name, prefix in LIBRARIES.items() if best(row, prefix)]
        if row["type"] == "f32" and "Sinter" in peers and len(peers) > 1:
            before = chosen.get(row["name"])
            if not before or (len(peers), row["n"]) >= (before[0], before[1]["n"]):
                chosen[row["name"]] = (len(peers), row)
    most = max((count for count, _ in chosen.values()), default=0)
    return [row for count, row in chosen.values() if count == most]


def text(x, y, content, size=12, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
            f'{xml.sax.saxutils.escape(content)}</text>')


def legend(names):
    parts, x = [], LEFT
    for name in names:
        parts.append(f'<rect x="{x}" y="30" width="11" height="11" fill="{COLOURS[name]}"/>')
        parts.append(text(x + 16, 40, name))
        x += 30 + 8 * len(name)
    return parts


def bars(row, names, y):
    parts, own = [text(LEFT - 8, y + BAR * len(names) / 2 + 4, row["name"], anchor="end")], best(row, "sinter")
    for name in names:
        ratio = best(row, LIBRARIES[name]) / own
        width = min(ratio, LONGEST) / LONGEST * (WIDTH - LEFT - 100)
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{COLOURS[name]}"/>')
        parts.append(text(LEFT + width + 5, y + BAR - 4, f"{ratio:.2f}" + (" (cut off)" if ratio > LONGEST else ""), 10))
        y += BAR
    return parts


def draw(data):
    rows = choose(data["rows"])
    names = [name for name, prefix in LIBRARIES.items() if all(best(row, prefix) for row in rows)]
    machine = data["machine"]
    sizes = ", ".join(sorted({f"2^{row['n'].bit_length() - 1}" for row in rows}))
    parts = [text(8, 18, f"Time relative to Sinter (shorter is faster), {sizes} float: {machine['processor']}, "
                  f"{machine['threads']} threads", 13, weight="bold"), *legend(names)]
    y = TOP
    for row in rows:
        parts += bars(row, names, y)
        y += BAR * len(names) + GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" '
            f'font-family="Helvetica, Arial, sans-serif">\n<rect width="{WIDTH}" height="{y}" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def main(source, chart):
    with open(source) as file:
        data = json.load(file)
    with open(chart, "w") as file:
        file.write(draw(data))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
