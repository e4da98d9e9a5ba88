# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table and the picture of npbench.py, from rows of its JSON. Needs nothing but Python."""
import math

from chart import text

PYTHON = {"numpy": "NumPy", "numba": "Numba", "jax": "JAX", "pythran": "Pythran"}
COLOURS = {"C++": "#333333", "C++, tiled": "#e08a2e", "NumPy": "#9a9a9a", "Numba": "#5aa469", "JAX": "#8d6ab8", "Pythran": "#c0504d"}
WIDTH, LEFT, LINE, TOP = 760, 130, 22, 74
LEAST, MOST = 0.1, 300  # of the picture's axis


def idioms(row):
    """Sinter's forms, the fastest first."""
    return sorted((r["median"], r["name"]) for r in row["results"] if not r["name"].startswith("c++") and r["name"] not in PYTHON)


def peers(row):
    """Time by name of what is no form of Sinter: C++, the best of its other forms, the libraries."""
    times = {r["name"]: r["median"] for r in row["results"]}
    other = [t for name, t in times.items() if name.startswith("c++ ")]
    found = {"C++": times["c++"]} | ({"C++, tiled": min(other)} if other else {})
    return found | {shown: times[name] for name, shown in PYTHON.items() if name in times}


def of_cpp(row):
    """The best form's time over that of the best C++."""
    return idioms(row)[0][0] / min(t for name, t in peers(row).items() if name.startswith("C++"))


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def ratio(x):
    return f"{x:.2f}" if x < 9.95 else f"{x:.0f}"


def table(rows):
    """Markdown: the best form's time over each peer's, and every other form's time over the best form's."""
    header = ["kernel", "best form", "ms", *(f"of {name}" for name in COLOURS), "of the best", "other forms, of the best form"]
    lines = ["| " + " | ".join(header) + " |", "|---|---|" + "---:|" * (len(header) - 3) + "---|"]
    columns = {name: [] for name in [*COLOURS, "best"]}
    for row in rows:
        (own, form), *others = idioms(row)
        times = peers(row)
        times["best"] = min(times.values())
        for name in times:
            columns[name].append(own / times[name])
        cells = [ratio(own / times[name]) if name in times else "" for name in columns]
        rest = ", ".join(f"{name} {ratio(time / own)}" for time, name in others)
        lines.append(f"| {row['name']} | {form} | {own * 1e3:.2f} | " + " | ".join(cells) + f" | {rest} |")
    means = [ratio(geometric_mean(c)) if c else "" for c in columns.values()]
    lines.append("| geometric mean | | | " + " | ".join(means) + " | |")
    return "\n".join(lines) + "\n"


def place(ratio_):
    """Where a ratio lies on the picture's logarithmic axis."""
    share = math.log(min(max(ratio_, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return LEFT + share * (WIDTH - LEFT - 20)


def marks(row, y):
    """A bar from the best form to the slowest, and a dot for each peer."""
    times = [t for t, _ in idioms(row)]
    best, slowest = times[0], times[-1]
    end = place(slowest / best)
    parts = [text(LEFT - 8, y + 4, row["name"], anchor="end"),
             f'<rect x="{place(1):.1f}" y="{y - 5}" width="{end - place(1):.1f}" height="10" fill="#1f5fa8" fill-opacity="0.35"/>',
             f'<rect x="{place(1) - 2:.1f}" y="{y - 7}" width="4" height="14" fill="#1f5fa8"/>']
    for name, time in peers(row).items():
        parts.append(f'<circle cx="{place(time / best):.1f}" cy="{y}" r="4.5" fill="{COLOURS[name]}"/>')
    return parts


def legend():
    parts, x = [f'<rect x="{LEFT}" y="30" width="20" height="10" fill="#1f5fa8" fill-opacity="0.35"/>',
                text(LEFT + 26, 40, "Sinter, best to slowest form")], LEFT + 200
    for name, colour in COLOURS.items():
        parts += [f'<circle cx="{x}" cy="35" r="4.5" fill="{colour}"/>', text(x + 9, 40, name)]
        x += 30 + 7 * len(name)
    return parts


def picture(rows, machine):
    """SVG: for each kernel how long everything takes, relative to Sinter's best form, on a logarithmic axis."""
    height = TOP + LINE * len(rows)
    parts = [text(8, 18, f"Time relative to Sinter's best form (left of 1 is faster): {machine['processor']}, "
                  f"{machine['threads']} threads", 13, weight="bold"), *legend()]
    for tick in (0.1, 0.3, 1, 3, 10, 30, 100, 300):
        x = place(tick)
        parts += [text(x, TOP - 16, f"{tick:g}", 10, anchor="middle"),
                  f'<line x1="{x:.1f}" y1="{TOP - 12}" x2="{x:.1f}" y2="{height - 4}" stroke="#dddddd"/>']
    for k, row in enumerate(rows):
        parts += marks(row, TOP + k * LINE + 4)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            f'font-family="Helvetica, Arial, sans-serif">\n<rect width="{WIDTH}" height="{height}" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")
