#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""doxygen_filter.py HEADER: a public header as its reader sees it, for Doxygen.

Functions that macros make are written out, with a description from BRIEFS. What is in namespace detail is left out; aliases of
its classes become these classes, constraints that name it disappear, and an Operand, which only carries the place of a call,
is the array that it stands for. What a header declares joins the group of its topic.
"""
import pathlib
import re
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
GROUPS = {
    "arrays": ("Arrays and elements", "array delayed shape element"),
    "scalars": ("Scalar expressions", "exp exp_operators math complex half"),
    "elementwise": ("Element by element", "array_math array_operators combinators/map combinators/zip combinators/stencil "
                    "combinators/boundary"),
    "make": ("Making arrays", "combinators/make combinators/from"),
    "rearrange": ("Rearranging", "combinators/view combinators/slice combinators/concat combinators/pad combinators/gather"),
    "reduce": ("Reductions and scans", "combinators/fold combinators/reduce combinators/scan combinators/segments "
               "combinators/keep combinators/accurate combinators/recur"),
    "dynamic": ("Sizes that depend on data, random writes, sorts, updates", "combinators/filter combinators/scatter "
                "combinators/sort combinators/update"),
    "control": ("Nesting, loops, conditionals", "combinators/vmap control array_control combinators/foreign"),
    "derivatives": ("Derivatives", "combinators/derivative combinators/custom_derivative check_gradient"),
    "random": ("Random numbers", "random/real random/key random/distributions random/rejection random/sobol"),
    "linalg": ("Linear algebra", "linalg/products linalg/factor linalg/solve linalg/eigen lapack"),
    "fft": ("Fourier transforms", "fft"),
    "numeric": ("Names of NumPy", "numeric/division numeric/making numeric/nan numeric/search numeric/selection numeric/signal "
                "numeric/spread"),
    "running": ("Running", "run compile async options version"),
    "looking": ("Looking inside", "explain profile"),
    "errors": ("Errors", "error"),
    "exchange": ("Exchange with others", "npy npz text checkpoint_file png hdf5 netcdf print dlpack mdspan"),
    "ranks": ("Ranks", "ranks"),
}
BRIEFS = {
    "abs": "The absolute value; of a complex number its magnitude.", "sqrt": "The square root, correctly rounded.",
    "floor": "The greatest integer that is not above.", "ceil": "The least integer that is not below.",
    "trunc": "The integer next towards zero.", "round": "The nearest integer, halves away from zero.",
    "rint": "The nearest integer, halves to even.", "popcount": "How many bits are set.",
    "clz": "How many bits before the highest one that is set.", "ctz": "How many bits after the lowest one that is set.",
    "exp": "e to the power x.", "exp2": "2 to the power x.", "expm1": "e to the power x, less 1, accurate near 0.",
    "log": "The natural logarithm.", "log2": "The logarithm to base 2.", "log10": "The logarithm to base 10.",
    "log1p": "The natural logarithm of 1 + x, accurate near 0.", "sin": "The sine.", "cos": "The cosine.",
    "tan": "The tangent.", "asin": "The inverse sine.", "acos": "The inverse cosine.", "atan": "The inverse tangent.",
    "sinh": "The hyperbolic sine.", "cosh": "The hyperbolic cosine.", "tanh": "The hyperbolic tangent.",
    "asinh": "The inverse hyperbolic sine.", "acosh": "The inverse hyperbolic cosine.",
    "atanh": "The inverse hyperbolic tangent.", "cbrt": "The cube root.", "erf": "The error function.",
    "erfc": "The complementary error function.", "tgamma": "The gamma function.",
    "lgamma": "The logarithm of the gamma function's absolute value.", "rsqrt": "1 / sqrt(x).", "isnan": "Whether it is a NaN.",
    "isinf": "Whether it is infinite.", "isfinite": "Whether it is neither infinite nor a NaN.",
    "sign": "-1, 0 or 1; a NaN or zero is returned as it is.", "conj": "The complex conjugate.",
    "norm": "The square of a complex number's magnitude.", "arg": "The angle of a complex number.",
    "min": "The lesser of two; NaN if one is, -0 below +0.", "max": "The greater of two; NaN if one is, -0 below +0.",
    "fmin": "The lesser of two; of a NaN and a number the number.",
    "fmax": "The greater of two; of a NaN and a number the number.",
    "copysign": "The first number with the sign of the second.", "atan2": "The angle of the point (x, y): atan2(y, x).",
    "pow": "The first to the power of the second.", "hypot": "sqrt(x² + y²), without overflow on the way.",
    "fma": "a * b + c, rounded once.", "clamp": "x between low and high; NaN stays NaN.",
    "lerp": "a + t * (b - a), exact at t = 0 and t = 1.", "select": "The second where the first holds, else the third.",
    "ShapeError": "Extents that must be equal are not, or an extent is none.", "IndexError": "An index outside its array.",
    "DomainError": "Integer division by zero.", "UsageError": "The library was used against its rules.",
    "MemoryError": "An array could not be allocated.", "DeviceError": "An accelerator is missing or failed.",
    "Limitation": "Legal, but not supported yet.", "InternalError": "A defect of the library.",
    "Stopped": "A run ended early, as its options asked.",
}
SHOWN = {"Callback<void(const Progress&)>": "std::function<void(const Progress&)>",
         "SizeArgument": "Exp<std::int64_t>", "ArgumentOf<P>": "P", "leaf_count<T> != 0": "is_element<T>",
         "IsReified": "is_expression"}  # what a reader sees in place of names of detail
DEFINITION = re.compile(r"^#define (SINTER_[A-Z]+)\(([^)]*)\)((?:[^\n]*\\\n)+[^\n]*)\n", re.MULTILINE)


def balanced(text, start, opening="{", closing="}"):
    """The place after the bracket that closes the one at `start`."""
    depth = 0
    for match in re.finditer(rf"[{opening}{closing}]", text[start:]):
        depth += 1 if match[0] == opening else -1
        if depth == 0:
            return start + match.end()
    return len(text)


def brief(argument, body):
    """The description of what a macro makes of an argument."""
    if "axis(-1)" in body:
        return "Along the innermost axis."
    if "lift" in body and not argument.isidentifier():
        return "Element by element: of arrays of one shape, or of an array and a scalar or array of rank 0."
    return BRIEFS.get(argument, f"The operator {argument} of scalar expressions.")


def instance(body, parameters, arguments):
    """A macro's body with its arguments; every declaration described, those that read alike once."""
    for name, value in zip(parameters, arguments):
        body = re.sub(rf"#{name}\b", f'"{value}"', body)
        body = re.sub(rf"\b{name}\b", value, body)
    text = "\n".join(line.rstrip(" \\") for line in body.splitlines())
    result, seen = "", set()
    for part in re.split(r"(?=^ *template)", text.strip("\n"), flags=re.MULTILINE):
        declaration = re.sub(r"\s+", " ", simplify("\n" + part).split("{")[0].replace("ArrayLike ", "class "))
        if declaration.strip() and declaration not in seen:
            result += f"/// {brief(arguments[0], text)}\n{part.strip()}\n"
        seen.add(declaration)
    return result


def expand_macros(text):
    """Uses of the SINTER_ macros that a header defines, written out, until their #undef."""
    while definition := DEFINITION.search(text):
        name, parameters, body = definition[1], [p.strip() for p in definition[2].split(",")], definition[3]
        end = text.index(f"#undef {name}", definition.end())
        uses = re.sub(r"^#include <(sinter/detail/\w+\.def)>\n", lambda m: (INCLUDE / m[1]).read_text(),
                      text[definition.end():end], flags=re.MULTILINE)
        uses = re.sub(rf"^\s*{name}\((.*)\);?$",
                      lambda m: instance(body, parameters, [a.strip() for a in split_arguments(m[1], len(parameters))])
                      + (";" if body.split()[1] == "class" else ""), uses, flags=re.MULTILINE)
        text = text[:definition.start()] + uses + text[end + len(f"#undef {name}"):]
    return text


def split_arguments(text, count):
    return text.split(",", count - 1)


def detail_text(text):
    """(what is outside of namespace detail, what is inside)"""
    inside = ""
    while match := re.search(r"^namespace detail \{", text, re.MULTILINE):
        end = balanced(text, match.end() - 1)
        inside += text[match.end():end - 1]
        text = text[:match.start()] + text[end:]
    return text, inside


def class_body(name):
    """The definition of a class of namespace detail, wherever it is."""
    for path in sorted((INCLUDE / "sinter").rglob("*.hpp")):
        text = path.read_text()
        match = re.search(rf"^(?:class|struct)(?: SINTER_API)? {name}\b[^;{{]*\{{", text, re.MULTILINE)
        if match:
            return match[0].split()[0], text[match.end() - 1:balanced(text, match.end() - 1)]
    return None


def replace_aliases(text):
    """`using Name = detail::Class<..>;` as the class, under its public name."""
    def public_class(match):
        found = class_body(match[2])
        if not found:
            return match[0]
        kind, body = found
        while constructor := re.search(rf"^ *(?:explicit )?{match[2]}\(", body, re.MULTILINE):
            body = body[:constructor.start()] + body[balanced(body, body.index("{", constructor.end())):]
        body = re.sub(r"^ *using .*\n", "", body, flags=re.MULTILINE)
        return f"{kind} {match[1]} {body.replace(match[2], match[1])};"

    return re.sub(r"^using (\w+) = detail::(\w+)(?:<.*>)?;", public_class, text, flags=re.MULTILINE)


def name_concepts(match):
    """What a declaration asks of its parameters by an Operand or a constraint, in the head of the template."""
    head, rest = match[1], match[2]
    for concept, found in (("ArrayLike", re.findall(r"Operand<(\w+)>", rest)),
                           ("ArrayLike", re.findall(r"ArrayOperands<([\w, ]+)>", rest)),
                           ("Expression", re.findall(r"ScalarOperands<([\w, ]+)>", rest))):
        for name in re.findall(r"\w+", " ".join(found)):
            head = re.sub(rf"\b(?:class|typename)(\.\.\.)? {name}\b", rf"{concept}\1 {name}", head)
    return head + rest


def describe_classes(text):
    """A class without a description of its own has that of its header."""
    text = re.sub(r"^template <[^\n]*>\n(?:class|struct) \w+;\n", "", text, flags=re.MULTILINE)
    about = re.match(r"// SPDX.*\n((?:///.*\n)+)", text)
    return re.sub(r"\n\n(?=template <[^\n]*>\nclass \w+ )", lambda m: "\n\n" + about[1], text) if about else text


def simplify(text):
    """Declarations without what only detail knows."""
    text = re.sub(r"^( *template <[^\n]*>\n)([^{;]*)", name_concepts, text, flags=re.MULTILINE)
    text = re.sub(r" : public detail::[\w<>, ]+(?= \{)", "", text)
    text = re.sub(r"^ +[^\n;{}=]*detail::Leaves<T>&? \w+(?:\(\)|\))[^\n]*\}\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"detail::Operand<(\w+)>(\.\.\.)? ", r"\1\2 ", text)
    text = re.sub(r"^ *requires(?:[^\n]*(?:&&|\|\|)\n)*[^\n]*\n", lambda m: "" if "detail::" in m[0] else m[0], text,
                  flags=re.MULTILINE)
    text = re.sub(r"^(\s*template <)(.*)>$", lambda m: m[1] + re.sub(r"detail::\w+(?:<[^<>]*>)?(?=[ .])", "class", m[2]) + ">", text,
                  flags=re.MULTILINE)
    text = re.sub(r"^ *explicit Compiled\(.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"#if defined\(_LIBCPP_VERSION\).*?#endif\n", "", text, flags=re.DOTALL)
    for name, shown in SHOWN.items():
        text = text.replace(f"detail::{name}", shown)
    return text.replace("detail::", "")


def with_group(text, header):
    """All that the header declares, in the group of its topic."""
    name = header.relative_to(INCLUDE / "sinter").with_suffix("").as_posix()
    for group, (title, headers) in GROUPS.items():
        if name in headers.split():
            start = re.search(r"^namespace sinter(?:::\w+)? \{$", text, re.MULTILINE)
            if start:
                end = balanced(text, start.end() - 1) - 1
                opening = f"\n/// \\addtogroup {group} {title}\n/// @{{\n"
                return text[:start.end()] + opening + text[start.end():end] + "\n/// @}\n" + text[end:]
    return text


def main():
    header = pathlib.Path(sys.argv[1]).resolve()
    text = expand_macros(header.read_text())
    text = replace_aliases(detail_text(text)[0])
    print(with_group(describe_classes(simplify(text)), header))


if __name__ == "__main__":
    main()
