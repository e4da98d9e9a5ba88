#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_reference.py FOLDER: the reference that Doxygen made has what macros declare, and nothing of what is not the user's."""
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MATH = ROOT / "include" / "sinter"
FUNCTIONS = {
    "group__reduce.html": "fold fold1 fold_all sum product min max any count mean argmin argmax inclusive_scan",
    "group__dynamic.html": "filter partition compact scatter histogram sort argsort update",
    "group__running.html": "run compile run_async",
    "group__derivatives.html": "grad jvp vjp custom_vjp",
    "group__linalg.html": "matmul einsum solve",
    "group__random.html": "uniform normal",
    "group__fft.html": "fft ifft",
    "group__looking.html": "explain start stop",
}
CLASSES = ["Array", "Delayed", "Exp", "Explanation", "Cluster", "Error", "ShapeError", "IndexError", "DomainError", "UsageError",
           "MemoryError", "DeviceError", "Limitation", "InternalError", "Stopped", "Progress", "Deadline"]
FOREIGN = re.compile(r"detail::|sinter::detail|class_?std|std::promise")


def words(path):
    """The text of a page, without marks."""
    return html.unescape(re.sub(r"<[^>]*>", "", path.read_text()))


def math_names():
    text = "".join((MATH / "detail" / name).read_text() for name in ("unary_math.def", "binary_math.def"))
    names = re.findall(r"^SINTER_\w+\((\w+)", text, re.MULTILINE)
    return names + ["fma", "clamp", "lerp", "select", "operator+", "operator<="]


def main():
    folder = pathlib.Path(sys.argv[1])
    wanted = dict(FUNCTIONS)
    wanted["group__scalars.html"] = wanted["group__elementwise.html"] = " ".join(math_names())
    wrong = []
    for page, names in wanted.items():
        text = words(folder / page)
        wrong += [f"{page}: no {name}" for name in names.split()
                  if not re.search(rf"\b{re.escape(name)}\s*\(", text)]
    pages = sorted(folder.glob("*.html"))
    wrong += [f"no class {name}" for name in CLASSES if not list(folder.glob(f"*sinter_1_1{name}.html"))]
    wrong += [f"{page.name}: {found[0]}" for page in pages if (found := FOREIGN.search(page.name + " " + words(page)))]
    print("\n".join(wrong))
    print(f"{len(pages)} pages of the C++ interface, {len(wrong)} wrong")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
