#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_operations_table.py [--check]: docs/reference/operations.tsv and numpy.tsv as the Markdown tables of operations.md.

numpy.tsv has NumPy's functions, each with the operation that it is, or with what to write in Sinter where no row of
operations.tsv is like it.

--check writes nothing and fails if the table is not that of the data, if tests/operations does not have one example for
every row that is to have one, which calls every function that the row names, if tests/derivatives/operations.cpp has no test of
a derivative, if what numpy.tsv says calls functions that no public header has, or if a further function has no test,
NUMPY("name", ...), that calls what its line calls.
"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "reference"
EXAMPLES = ROOT / "tests" / "operations"
NUMPY_TESTS = ROOT / "tests" / "conform" / "library" / "numpy_*.cpp"
LAPACK_TESTS = ROOT / "tests" / "lapack" / "lapack.cpp"
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
NUMPY_COLUMNS = ["numpy", "operation", "sinter", "notes"]
HEAD = """# Operations, beside Accelerate, Futhark and NumPy

Every function that `Data.Array.Accelerate` exports and every function of Futhark's prelude (`array`, `soacs`, `functional`, `math`,
`zip`), and the commonly used functions of NumPy, with what to write in Sinter. The types and classes that Accelerate exports have no row, nor have Futhark's `ad`
([derivatives](derivatives.md) have a page) and `properties` (annotations). What is marked *planned* is not in the headers yet; a *composition* is one line of
what is. Names without a counterpart are marked –. Every row that Sinter has is an
example with its result in `tests/operations`. Under *derivative* is whether an operation on floating-point numbers has one
([derivatives](derivatives.md)), or whether it is 0 everywhere; each is a test in `tests/derivatives/operations.cpp`.

Made by `scripts/make_operations_table.py` from `operations.tsv` and `numpy.tsv`: change those files.
"""
NUMPY_HEAD = """## Further functions of NumPy

Those that no row above is like, each with a test. They are those of [`<sinter/numeric.hpp>`](numeric.md), [`<sinter/linalg.hpp>`](linalg.md),
[`<sinter/random.hpp>`](random.md), [`<sinter/fft.hpp>`](fft.md) and [files](interop.md), or lines of what is above.

| NumPy | Sinter | notes |
|---|---|---|
"""


def read_rows(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for number, row in enumerate(rows, 2):
        if list(row) != COLUMNS or None in row.values() or row["status"] not in STATUS or row["derivative"] not in DERIVATIVE:
            sys.exit(f"{path}:{number}: the columns are {', '.join(COLUMNS)}; a status is one of {', '.join(STATUS)}, a "
                     f"derivative one of {', '.join(DERIVATIVE)}")
    return rows


def read_numpy(path, rows):
    """NumPy's functions; those that are a row are added to it."""
    with open(path, newline="") as file:
        functions = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    operations = {row["operation"]: row for row in reversed(rows)}  # of several of one name the first
    for row in rows:
        row["numpy"] = []
    names = set()
    for number, function in enumerate(functions, 2):
        operation = function["operation"]
        if list(function) != NUMPY_COLUMNS or None in function.values() or function["numpy"] in names:
            sys.exit(f"{path}:{number}: the columns are {', '.join(NUMPY_COLUMNS)}, and every function has one row")
        if operation != "-" and operation not in operations:
            sys.exit(f"{path}:{number}: operations.tsv has no operation {operation}")
        if operation == "-" and function["sinter"] == "-":
            sys.exit(f"{path}:{number}: no answer")
        names.add(function["numpy"])
        if operation != "-":
            operations[operation]["numpy"].append(function["numpy"])
    return functions


def code(text):
    return "–" if text == "-" else f"`{text}`".replace("|", "\\|")


def names(text):
    return ", ".join(code(name) for name in re.split(r", (?![^\[]*\])", text))  # not within brackets


def table(rows, functions):
    lines, group = [HEAD], ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            lines += [f"## {group}", "", "| operation | Accelerate | Futhark | NumPy | Sinter | derivative | notes |",
                      "|---|---|---|---|---|---|---|"]
        notes = "; ".join(part for part in (STATUS[row["status"]], row["notes"].replace("|", "\\|")) if part)
        cells = [row["operation"], names(row["accelerate"]), names(row["futhark"]), names(", ".join(row["numpy"]) or "-"),
                 code(row["sinter"]), DERIVATIVE[row["derivative"]], notes]
        lines.append("| " + " | ".join(cells) + " |")
        if row is rows[-1] or rows[rows.index(row) + 1]["group"] != group:
            lines.append("")
    further = [f for f in functions if f["operation"] == "-"]
    lines.append(NUMPY_HEAD + "".join(f"| {code(f['numpy'])} | {code(f['sinter'])} | {f['notes']} |\n" for f in further))
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


def check_numpy(functions):
    """Everything called is the public headers'."""
    headers = "".join(path.read_text() for path in sorted((ROOT / "include").rglob("*")) if path.suffix in (".hpp", ".def"))
    known = set(re.findall(r"\w+", headers)) | {"log2", "log"}
    missing = [f"{f['numpy']}: there is no {name}" for f in functions for name in sorted(called(f["sinter"]) - known)]
    if missing:
        sys.exit(f"{FOLDER / 'numpy.tsv'}:\n" + "\n".join(missing))


def check_numpy_tests(functions):
    """A test of every further function of NumPy, NUMPY("name, name", ...), which calls what its line calls."""
    found = {}
    for path in sorted(NUMPY_TESTS.parent.glob(NUMPY_TESTS.name)) + [LAPACK_TESTS]:
        text = path.read_text()
        starts = list(re.finditer(r'NUMPY\(\s*"(.*?)",', text))
        for start, end in zip(starts, [match.start() for match in starts[1:]] + [len(text)]):
            for name in start[1].split(", "):
                found[name] = text[start.end():end]
    further = [f for f in functions if f["operation"] == "-"]
    problems = [f"{f['numpy']}: no test" for f in further if f["numpy"] not in found]
    problems += [f"{f['numpy']}: its test does not call {name}" for f in further if f["numpy"] in found
                 for name in sorted(called(f["sinter"])) if not re.search(rf"\b{name}\b", found[f["numpy"]])]
    problems += [f"{name}: a test without a row" for name in sorted(set(found) - {f["numpy"] for f in further})]
    if problems:
        sys.exit(f"{NUMPY_TESTS}:\n" + "\n".join(problems))


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
    functions = read_numpy(FOLDER / "numpy.tsv", rows)
    text, target = table(rows, functions), FOLDER / "operations.md"
    if sys.argv[1:] == ["--check"]:
        if not target.exists() or target.read_text() != text:
            sys.exit(f"{target} is not what operations.tsv and numpy.tsv say: run scripts/make_operations_table.py")
        check_examples(rows)
        check_derivatives(rows)
        check_numpy(functions)
        check_numpy_tests(functions)
    else:
        target.write_text(text)


main()
