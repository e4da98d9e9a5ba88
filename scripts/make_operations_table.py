#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_operations_table.py [--check]: docs/reference/operations.tsv as the Markdown table operations.md.

--check writes nothing and fails if the table is not that of the data.
"""
import csv
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "reference"
COLUMNS = ["group", "operation", "accelerate", "futhark", "sinter", "notes", "status"]
STATUS = {
    "yes": "",
    "composed": "a composition",
    "planned": "**planned**",
    "language": "C++ itself",
    "no": "no counterpart",
}
HEAD = """# Operations, beside Accelerate and Futhark

Every function that `Data.Array.Accelerate` exports and every function of Futhark's prelude (`array`, `soacs`, `functional`, `math`,
`zip`), with what to write in Sinter. The types and classes that Accelerate exports have no row, nor have Futhark's `ad` (derivatives
are not a goal) and `properties` (annotations). What is marked *planned* is not in the headers yet; a *composition* is one line of
what is. Names without a counterpart are marked –.

Made by `scripts/make_operations_table.py` from `operations.tsv`: change that file.
"""


def read_rows(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for number, row in enumerate(rows, 2):
        if list(row) != COLUMNS or None in row.values() or row["status"] not in STATUS:
            sys.exit(f"{path}:{number}: the columns are {', '.join(COLUMNS)}; a status is one of {', '.join(STATUS)}")
    return rows


def code(text):
    return "–" if text == "-" else f"`{text}`".replace("|", "\\|")


def names(text):
    return ", ".join(code(name) for name in text.split(", "))


def table(rows):
    lines, group = [HEAD], ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            lines += [f"## {group}", "", "| operation | Accelerate | Futhark | Sinter | notes |", "|---|---|---|---|---|"]
        notes = "; ".join(part for part in (STATUS[row["status"]], row["notes"].replace("|", "\\|")) if part)
        cells = [row["operation"], names(row["accelerate"]), names(row["futhark"]), code(row["sinter"]), notes]
        lines.append("| " + " | ".join(cells) + " |")
        if row is rows[-1] or rows[rows.index(row) + 1]["group"] != group:
            lines.append("")
    return "\n".join(lines)


def main():
    text, target = table(read_rows(FOLDER / "operations.tsv")), FOLDER / "operations.md"
    if sys.argv[1:] == ["--check"]:
        if not target.exists() or target.read_text() != text:
            sys.exit(f"{target} is not what operations.tsv says: run scripts/make_operations_table.py")
    else:
        target.write_text(text)


main()
