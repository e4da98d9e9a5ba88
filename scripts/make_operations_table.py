#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_operations_table.py [--check]: docs/reference/operations.tsv as the Markdown table operations.md.

--check writes nothing and fails if the table is not that of the data, or if tests/operations does not have one example for
every row that is to have one, which calls every function that the row names, or tests/derivatives/operations.cpp a test of every
derivative.
"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "reference"
EXAMPLES = ROOT / "tests" / "operations"
DERIVATIVES = ROOT / "tests" / "derivatives" / "operations.cpp"
COLUMNS = ["group", "operation", "accelerate", "futhark", "sinter", "notes", "status", "derivative"]
STATUS = {
    "yes": "",
    "composed": "a composition",
    "planned": "**planned**",
    "language": "C++ itself",
    "no": "no counterpart",
}
DERIVATIVE = {"yes": "yes", "zero": "0", "none": "none", "-": "–"}
HAS_EXAMPLE = {"yes": True, "composed": True, "language": None, "planned": False, "no": False}  # None: may have
HEAD = """# Operations, beside Accelerate and Futhark

Every function that `Data.Array.Accelerate` exports and every function of Futhark's prelude (`array`, `soacs`, `functional`, `math`,
`zip`), with what to write in Sinter. The types and classes that Accelerate exports have no row, nor have Futhark's `ad`
([derivatives](derivatives.md) have a page) and `properties` (annotations). What is marked *planned* is not in the headers yet; a *composition* is one line of
what is. Names without a counterpart are marked –. Every row that Sinter has is an
example with its result in `tests/operations`. Under *derivative* is whether an operation on floating-point numbers has one
([derivatives](derivatives.md)), or whether it is 0 everywhere; each is a test in `tests/derivatives/operations.cpp`.

Made by `scripts/make_operations_table.py` from `operations.tsv`: change that file.
"""


def read_rows(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for number, row in enumerate(rows, 2):
        if list(row) != COLUMNS or None in row.values() or row["status"] not in STATUS or row["derivative"] not in DERIVATIVE:
            sys.exit(f"{path}:{number}: the columns are {', '.join(COLUMNS)}; a status is one of {', '.join(STATUS)}, a "
                     f"derivative one of {', '.join(DERIVATIVE)}")
    return rows


def code(text):
    return "–" if text == "-" else f"`{text}`".replace("|", "\\|")


def names(text):
    return ", ".join(code(name) for name in re.split(r", (?![^\[]*\])", text))  # not within brackets


def table(rows):
    lines, group = [HEAD], ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            lines += [f"## {group}", "", "| operation | Accelerate | Futhark | Sinter | derivative | notes |",
                      "|---|---|---|---|---|---|"]
        notes = "; ".join(part for part in (STATUS[row["status"]], row["notes"].replace("|", "\\|")) if part)
        cells = [row["operation"], names(row["accelerate"]), names(row["futhark"]), code(row["sinter"]), DERIVATIVE[row["derivative"]], notes]
        lines.append("| " + " | ".join(cells) + " |")
        if row is rows[-1] or rows[rows.index(row) + 1]["group"] != group:
            lines.append("")
    return "\n".join(lines)


def examples():
    """What follows OPERATION(group, operation), by these."""
    found = {}
    for path in sorted(EXAMPLES.glob("*.cpp")):
        _, *parts = re.split(r'^OPERATION\("(.*?)",\s*"(.*?)"\)', path.read_text(), flags=re.MULTILINE)
        for group, operation, body in zip(parts[0::3], parts[1::3], parts[2::3]):
            if (group, operation) in found:
                sys.exit(f"{path}: a second example of {group}: {operation}")
            found[group, operation] = body
    return found


def called(text):
    """What is called in the text of a row: names of two letters at least, f and g being the user's."""
    return set(re.findall(r"\b([a-z]\w+)(?=\(|<[^ =])", text)) - {"sizeof"}


def check_examples(rows):
    found, problems = examples(), []
    for row in rows:
        body, wanted = found.pop((row["group"], row["operation"]), None), HAS_EXAMPLE[row["status"]]
        name = f"{row['group']}: {row['operation']}"
        if wanted is not None and wanted != (body is not None):
            problems.append(f"{name}: {'no example' if wanted else 'an example of what there is not'}")
        if wanted and body:
            missing = sorted(f for f in called(row["sinter"]) if not re.search(rf"\b{f}\b", body))
            problems += [f"{name}: its example does not call {function}" for function in missing]
    problems += [f"{': '.join(name)}: an example without a row" for name in found]
    if problems:
        sys.exit(f"{EXAMPLES}:\n" + "\n".join(problems))


def check_derivatives(rows):
    """A test of the derivative of every row that Sinter has, with the word of the row."""
    found, problems = {}, []
    for group, operation, word in re.findall(r'^DERIVATIVE\("(.*?)",\s*"(.*?)",\s*(\w+)\)', DERIVATIVES.read_text(), re.MULTILINE):
        if (group, operation) in found:
            problems.append(f"{group}: {operation}: a second test")
        found[group, operation] = word
    for row in rows:
        word = found.pop((row["group"], row["operation"]), "-")
        if word != row["derivative"] or (word == "-" and HAS_EXAMPLE[row["status"]]):
            problems.append(f"{row['group']}: {row['operation']}: the table says {row['derivative']}, its test {word}")
    problems += [f"{': '.join(name)}: a test without a row" for name in found]
    if problems:
        sys.exit(f"{DERIVATIVES}:\n" + "\n".join(problems))


def main():
    rows = read_rows(FOLDER / "operations.tsv")
    text, target = table(rows), FOLDER / "operations.md"
    if sys.argv[1:] == ["--check"]:
        if not target.exists() or target.read_text() != text:
            sys.exit(f"{target} is not what operations.tsv says: run scripts/make_operations_table.py")
        check_examples(rows)
        check_derivatives(rows)
    else:
        target.write_text(text)


main()
