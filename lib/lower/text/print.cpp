// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernel map_fold
// size s0 = a0
// size s1 = a1
// size s2 = (s0 * s1)
// buffer 0 : f32[s2] in
// buffer 1 : f32[s0] out                   "out of 0": begins with the contents of buffer 0
// check 0 : index 1 site 0                 axis 1 of an array; "divisor", "length", "total" have no axis; "expect 7" and
//                                          "print 7 : f32 : i64" name a text and the types of values, "guard 2" and
//                                          "shape 2" one of those of the step
// nonempty s0                              left out if there are none
// space s0
// {x0: i64 -> ...}                         #k of load, store: buffer; of size: sk; of check_*: check
#include "ir/text/print.hpp"
#include "lower/kernel.hpp"

#include <fmt/format.h>

#include <iterator>

namespace sinter::lower {

namespace {

using Kind = ir::Size::Kind;

/// Sizes name their parts, so the text is linear in the table, and the table is read back entry by entry.
std::string size_text(const ir::SizeTable& sizes, SizeId id) {
    const ir::Size& size = sizes[id];
    auto infix = [&](char symbol) { return fmt::format("(s{} {} s{})", size.left.index, symbol, size.right.index); };
    auto call = [&](const char* name) { return fmt::format("{}(s{}, s{})", name, size.left.index, size.right.index); };
    switch (size.kind) {
        case Kind::add:
            return infix('+');
        case Kind::sub:
            return infix('-');
        case Kind::mul:
            return infix('*');
        case Kind::ceil_div:
            return call("ceil_div");
        case Kind::minimum:
            return call("min");
        case Kind::maximum:
            return call("max");
        default:
            return ir::print(sizes, id);
    }
}

std::string_view name_of(Check::Kind kind) {
    switch (kind) {
        case Check::Kind::index:
            return "index";
        case Check::Kind::divisor:
            return "divisor";
        case Check::Kind::length:
            return "length";
        case Check::Kind::total:
            return "total";
        case Check::Kind::expect:
            return "expect";
        case Check::Kind::print:
            return "print";
        case Check::Kind::guard:
            return "guard";
        case Check::Kind::shape:
            return "shape";
    }
    return {};
}

std::string check_text(const Check& check) {
    std::string what(name_of(check.kind));
    if (check.kind == Check::Kind::index || check.kind == Check::Kind::guard || check.kind == Check::Kind::shape)
        what += fmt::format(" {}", check.axis);
    if (check.kind == Check::Kind::expect || check.kind == Check::Kind::print) what += fmt::format(" {}", check.text);
    for (Scalar type : check.types) what += fmt::format(" : {}", detail::name_of(type));
    return check.site.valid() ? fmt::format("{} site {}", what, check.site.index) : what;
}

std::string size_names(const std::vector<SizeId>& sizes) {
    std::string text;
    for (SizeId id : sizes) text += fmt::format(" s{}", id.index);
    return text;
}

}  // namespace

std::string print(const Kernel& kernel) {
    std::string text = fmt::format("kernel {}\n", kernel.name);
    auto out = std::back_inserter(text);
    for (std::size_t k = 0; k < kernel.sizes.count(); ++k)
        fmt::format_to(out, "size s{} = {}\n", k, size_text(kernel.sizes, SizeId(k)));
    for (std::size_t k = 0; k < kernel.buffers.size(); ++k) {
        const Buffer& buffer = kernel.buffers[k];
        const Accumulator* accumulator = accumulator_at(kernel, k);
        fmt::format_to(out, "buffer {} : {}[s{}] {}\n", k, detail::name_of(buffer.scalar), buffer.elements.index,
                       buffer.local     ? "local"
                       : !buffer.output ? "in"
                       : buffer.dest    ? fmt::format("out of {}", *buffer.dest)
                       : buffer.takes   ? fmt::format("out over {}", *buffer.takes)
                       : accumulator    ? fmt::format("out filled {}", accumulator->initial)
                                        : "out");
    }
    for (std::size_t k = 0; k < kernel.checks.size(); ++k)
        fmt::format_to(out, "check {} : {}\n", k, check_text(kernel.checks[k]));
    if (!kernel.nonempty.empty()) text += "nonempty" + size_names(kernel.nonempty) + "\n";
    return text + "space" + size_names(kernel.space) + "\n" + ir::print(kernel.body) + "\n";
}

}  // namespace sinter::lower
