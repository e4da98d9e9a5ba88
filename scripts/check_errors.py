#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_errors.py [--list]: every message that the library can throw at a user is in docs/errors.md, and every one of its
static assertions that tells what to write instead.

Looks at the string literals of `throw` expressions, of the functions that throw what they are given (CALLS) and of those that
make texts for others (MAKERS). Neighbouring literals are one; what is filled in (`{}`) is written as `…`, and left out at the
beginning. A `throw` without a literal whose text comes from none of these is an offence, too. --list prints all messages.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errors.md"
# The text form of programs and the verifiers: for those who work on the library, who get an InternalError or a position.
INTERNAL = re.compile(r"/(lexer|parse\w*|\w*verif\w*|literal)\.[hc]pp$")
CALLS = r"fail(?:<\w+>)?|fail_shape|refuse|limitation|reject|require_\.(?:equal|at_most)|auto describe = \[&\]"
MAKERS = {
    "lib/ir/sizes/size_arithmetic.cpp": ["describe_bad_shape", "describe_bad_length", "describe_bad_total"],
    "lib/ir/program.cpp": ["describe_failure"],
    "lib/front/frame.cpp": ["innermost"],
    "lib/run/messages.cpp": ["throw_out_of_memory"],
    "lib/support/text/user_text.cpp": ["describe_expectation"],
    "lib/support/settings.cpp": ["means_nothing", "bad_setting"],
}
# What a `throw` may be given instead of a literal: the text of one of MAKERS or CALLS, or of an error that is passed on.
MADE = re.compile(r"describe_failure|describe_bad_\w+|means_nothing|\*bad\b|error\.what\(\)|\btext\b|^\(message, ")
SILENT = {"Failure", "Impossible", "Damaged", "CompilerEnded", "std::bad_alloc"}  # caught inside, and reported by others
LITERAL = r'"(?:[^"\\\n]|\\.)*"'


def balanced(text, start):
    """The text from the bracket at `start` to the one that closes it."""
    depth = 0
    for match in re.finditer(LITERAL + r"|'(?:[^'\\]|\\.)'|[(){}\[\]]", text[start:]):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(match[0], 0)
        if depth == 0:
            return text[start:start + match.end()]
    return text[start:]


def messages_in(code):
    """Texts of the literals, neighbours joined: those with words, not names or parts of words."""
    for match in re.finditer(rf"{LITERAL}(?:\s*{LITERAL})*", code):
        text = "".join(part[1:-1] for part in re.findall(LITERAL, match[0])).replace('\\"', '"')
        text = re.sub(r"(?:\{[^}]*\})+", "…", text)
        text = re.sub(r"^(?:…|\W)*[:;,]? ?", "", text).strip(" :(…")
        if len(re.findall(r"[A-Za-z]{2,}", text)) >= 2:
            yield text


def of_file(path, name):
    """(line, message) of a source file; a line without a message is a throw that nothing is known of."""
    text = re.sub(r"//.*", "", path.read_text())
    for match in re.finditer(rf"\bthrow\s+([\w:]+)\s*(?=[({{])|\b(?:{CALLS})\s*(?=[({{])", text):
        line, code = text.count("\n", 0, match.start()) + 1, balanced(text, match.end())
        found = list(messages_in(code))
        yield from ((line, message) for message in found)
        if match[1] and match[1] not in SILENT and not re.search(LITERAL, code) and not MADE.search(code):
            yield line, None
    for function in MAKERS.get(name, []):
        match = re.search(rf"\b{function}\([^;{{}}]*\)\s*{{", text)
        if not match:
            sys.exit(f"{name}: there is no {function}")
        line = text.count("\n", 0, match.start()) + 1
        yield from ((line, message) for message in messages_in(balanced(text, match.end() - 1)))


def assertions_of(path):
    """(line, message) of the static assertions that name a cure."""
    text = re.sub(r"//.*", "", path.read_text())
    for match in re.finditer(r"\bstatic_assert\s*(?=\()", text):
        for message in messages_in(balanced(text, match.end())):
            if "write " in message or "print " in message:
                yield text.count("\n", 0, match.start()) + 1, message


def all_messages():
    for path in sorted((ROOT / "include").rglob("*.hpp")):
        for line, message in assertions_of(path):
            yield f"{path.relative_to(ROOT).as_posix()}:{line}", message
    for folder in ("include", "lib", "jit", "lapack", "files"):
        for path in sorted((ROOT / folder).rglob("*.[hc]pp")):
            name = path.relative_to(ROOT).as_posix()
            if not INTERNAL.search("/" + name):
                for line, message in of_file(path, name):
                    yield f"{name}:{line}", message


def main():
    found = list(all_messages())
    if sys.argv[1:] == ["--list"]:
        print("\n".join(f"{where}: {message}" for where, message in found))
        return 0
    page = re.sub(r"\s+", " ", PAGE.read_text().replace("\\|", "|"))
    wrong = [f"{where}: a message whose text is not found: extend MAKERS or MADE" for where, message in found if message is None]
    wrong += [f"{where}: not in {PAGE.name}: {message}" for where, message in found if message and message not in page]
    print("\n".join(wrong))
    print(f"{len({message for _, message in found})} messages, {len(wrong)} wrong")
    return 1 if wrong or len(found) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
