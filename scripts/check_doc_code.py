#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_doc_code.py [--pictures FOLDER] LIBRARY [PAGE.md ...] -- COMPILER [FLAGS]: compiles and runs the C++ of the documents.

Every block marked `cpp` of README.md and docs/ is compiled. A block with a main is a program; all other blocks of a page
follow each other in one function, so that later ones see what earlier ones declare. Structs, their adaptation and #include
lines go to file scope. What a reader need not see is in a comment: `<!-- cpp`, lines of code, `-->`.

A block marked `output` is what the block of code before it has to print; `...` stands for anything.

All pages are a few translation units, compiled side by side. --pictures copies the .svg files that the code wrote.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNITS = 2
MARK = "\x01 block "
HEAD = """#include <sinter/sinter.hpp>
#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <tuple>
#include <vector>
using namespace sinter;
void begin_block(int number);
"""
MAIN = """void begin_block(int number) { std::cout << std::flush; std::printf("MARK%d\\n", number); std::fflush(stdout); }
int main() try {
CALLS
} catch (const std::exception& error) {
    std::cout << std::flush;
    std::printf("an exception: %s\\n", error.what());
    return 1;
}
"""


class Block:
    """Code of a page; `expected` is None if what it prints does not matter."""

    def __init__(self, number, page, line, code):
        self.number, self.page, self.line, self.code, self.expected = number, page, line, code, None

    def is_program(self):
        return any(re.match(r"int main\(", text) for text in self.code)

    def where(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def read_blocks(page, first):
    """The blocks of a page, with those outputs that follow them."""
    blocks, kind, start = [], None, 0
    lines = page.read_text().splitlines()
    for number, text in enumerate(lines, 1):
        if kind is None:
            opening = re.match(r"(?:```(cpp|output|[\w+]*)$|<!-- (cpp)$)", text)
            if opening:
                kind, start = opening[1] or opening[2] or "other", number
        elif text in ("```", "-->"):
            inside = lines[start:number - 1]
            if kind == "cpp":
                blocks.append(Block(first + len(blocks), page, start + 1, inside))
            elif kind == "output":
                if not blocks or blocks[-1].expected is not None:
                    sys.exit(f"{page}:{start}: an output without code before it")
                blocks[-1].expected = inside
            kind = None
    if kind is not None:
        sys.exit(f"{page}:{start}: a block without an end")
    return blocks


def split_code(block):
    """(#include lines, code of file scope, code of a function), each with its place in the document."""
    includes, outside, inside = [], [], []
    in_struct = in_main = False
    for number, text in enumerate(block.code, block.line):
        line = f'#line {number} "{block.page.name}"\n{text}\n'
        if text.startswith("#include"):
            includes.append(text + "\n")
        elif text.startswith("using namespace sinter"):
            continue
        elif in_struct or text.startswith(("struct ", "BOOST_HANA_ADAPT_STRUCT")) or block.is_program():
            in_main = in_main or text.startswith("int main(")
            if in_main and text == "}":  # main alone may end without a return
                line, in_main = line.replace("}", "return 0; }"), False
            outside.append(line.replace("int main(", f"int program_{block.number}("))
            in_struct = (in_struct or text.startswith("struct ")) and not text.rstrip().endswith("};")
        else:
            inside.append(line)
    return includes, outside, inside


def page_code(number, blocks):
    """(#include lines, definitions of a page's function and what it needs)"""
    includes, outside, inside = [], [], []
    for block in blocks:
        parts = split_code(block)
        includes += parts[0]
        outside += parts[1]
        inside.append(f"begin_block({block.number});\n")
        inside += [f"if (program_{block.number}() != 0) std::exit(1);\n"] if block.is_program() else parts[2]
    return includes, "".join(outside) + f"void page_{number}() {{\n{''.join(inside)}}}\n"


def distribute(pages):
    """Translation units of about the same length."""
    units = [[] for _ in range(UNITS)]
    codes = [(number, *page_code(number, blocks)) for number, blocks in pages.items()]
    for code in sorted(codes, key=lambda c: -len(c[2])):
        min(units, key=lambda unit: sum(len(c[2]) for c in unit)).append(code)
    return [unit for unit in units if unit]


def write_units(folder, pages):
    names = []
    for k, unit in enumerate(distribute(pages)):
        includes = sorted({line for code in unit for line in code[1]})
        text = "".join(includes) + HEAD + "".join(code[2] for code in unit)
        names.append(folder / f"unit_{k}.cpp")
        names[-1].write_text(text)
    calls = "\n".join(f"    void page_{n}(); page_{n}();" for n in pages)
    main = MAIN.replace("MARK", MARK.replace("\x01", "\\1")).replace("CALLS", calls)
    names.append(folder / "main.cpp")
    names[-1].write_text("#include <cstdio>\n#include <exception>\n#include <iostream>\n" + main)
    return names


def compile_all(folder, sources, library, command):
    def compile_one(source):
        return subprocess.run([*command, "-c", source, "-o", source.with_suffix(".o")], capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(min(UNITS, os.cpu_count() or 1)) as pool:
        results = list(pool.map(compile_one, sources))
    errors = [line for r in results if r.returncode != 0 for line in r.stderr.splitlines() if "error" in line]
    if errors:
        sys.exit("\n".join(errors[:40]))
    link = [*command, *[s.with_suffix(".o") for s in sources], library, f"-Wl,-rpath,{library.parent}", "-pthread"]
    subprocess.run([*link, "-o", folder / "program"], check=True)


def outputs(text):
    """What each block printed, by its number."""
    found = {}
    for part in text.split(MARK)[1:]:
        number, _, printed = part.partition("\n")
        found[int(number)] = printed
    return found


def matches(expected, printed):
    pattern = re.escape("\n".join(expected)).replace(re.escape("..."), "(?:.|\n)*?")
    return re.fullmatch(pattern, printed.rstrip("\n")) is not None


def run(folder, blocks):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SINTER_")}
    result = subprocess.run([folder / "program"], cwd=folder, env=environment | {"SINTER_CACHE": "off"},
                            capture_output=True, text=True, timeout=300)
    printed = outputs(result.stdout)
    wrong = 0
    for block in blocks:
        if block.number not in printed:
            wrong += 1
            print(f"{block.where()}: not executed")
        elif block.expected is not None and not matches(block.expected, printed[block.number]):
            wrong += 1
            print(f"{block.where()}: prints\n{printed[block.number]}")
    if result.returncode != 0:
        last = max(printed, default=0)
        sys.exit(f"{blocks[last].where()}: exit status {result.returncode}\n{printed.get(last, '')}{result.stderr}")
    return wrong


def main():
    ours, command = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    pictures = None
    if ours[0] == "--pictures":
        pictures, ours = pathlib.Path(ours[1]), ours[2:]
    library = pathlib.Path(ours[0]).resolve()
    files = [pathlib.Path(name).resolve() for name in ours[1:]] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    pages, blocks = {}, []
    for number, page in enumerate(files):
        found = read_blocks(page, len(blocks))
        if found:
            pages[number] = found
            blocks += found
    if not blocks:
        sys.exit("no code")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        compile_all(folder, write_units(folder, pages), library, command)
        wrong = run(folder, blocks)
        if pictures:
            for drawn in folder.glob("*.svg"):
                shutil.copy(drawn, pictures / drawn.name)
    print(f"{len(blocks)} blocks of {len(pages)} pages, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
