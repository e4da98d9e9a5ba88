// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/index_function.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::interp {

namespace {

void find_reshaped(const Extents& arg, const Extents& result, const Extents& index, Extents& source) {
    std::int64_t flat = 0;
    for (std::size_t k = 0; k < result.size(); ++k) flat = flat * result[k] + index[k];
    for (std::size_t k = arg.size(); k-- > 0; flat /= arg[k]) source[k] = flat % arg[k];
}

/// The index in [0, extent) that index i + offset of an axis without ends continues to.
std::int64_t within(ir::Boundary boundary, std::int64_t i, std::int64_t offset, std::int64_t extent) {
    auto modulo = [=](std::int64_t n) { return ((i + offset % n) % n + n) % n; };
    auto nearer = [](std::int64_t at, std::int64_t last) { return std::min(at, last - at); };
    switch (boundary) {
        case ir::Boundary::clamp:
            return i + std::clamp(offset, -i, extent - 1 - i);
        case ir::Boundary::wrap:
            return modulo(extent);
        case ir::Boundary::symmetric:
            return nearer(modulo(2 * extent), 2 * extent - 1);
        case ir::Boundary::reflect:
            return extent == 1 ? 0 : nearer(modulo(2 * extent - 2), 2 * extent - 2);
    }
    return i;
}

/// What is wrong with a slice: both ends of every axis have to be inside.
std::optional<std::string> slice_problem(const ir::Slice& slice, const Extents& arg, const Extents& result,
                                         const Extents& starts) {
    check(slice.step.size() == arg.size() && starts.size() == arg.size(), "a slice has one start and step an axis");
    for (std::size_t k = 0; k < arg.size(); ++k) {
        if (result[k] == 0) continue;
        std::int64_t last = ir::sizes::add(starts[k], ir::sizes::mul(result[k] - 1, slice.step[k]));
        if (std::min(starts[k], last) < 0 || std::max(starts[k], last) >= arg[k])
            return fmt::format("axis {}: elements {} to {} of {}", k, starts[k], last, arg[k]);
    }
    return {};
}

}  // namespace

void find_source(const ir::IndexFunction& function, const Extents& arg, const Extents& result, const Extents& starts,
                 const Extents& index, Extents& source) {
    source.resize(arg.size());
    match(
        function,
        [&](const ir::Transpose& t) {
            for (std::size_t k = 0; k < index.size(); ++k) source[t.axes[k]] = index[k];
        },
        [&](const ir::Slice& s) {
            for (std::size_t k = 0; k < index.size(); ++k) source[k] = starts[k] + index[k] * s.step[k];
        },
        [&](const ir::Broadcast& b) {
            for (std::size_t k = 0; k < source.size(); ++k) source[k] = index[b.axes[k]];
        },
        [&](const ir::Reshape&) { find_reshaped(arg, result, index, source); },
        [&](const ir::Shift& s) {
            for (std::size_t k = 0; k < index.size(); ++k) source[k] = within(s.boundary, index[k], s.offset[k], arg[k]);
        });
}

std::optional<std::string> view_problem(const ir::IndexFunction& function, const Extents& arg, const Extents& result,
                                        const Extents& starts) {
    return match(
        function,
        [&](const ir::Transpose& t) -> std::optional<std::string> {
            for (std::size_t k = 0; k < result.size(); ++k) check(result[k] == arg[t.axes[k]], "extents of a transpose");
            return {};
        },
        [&](const ir::Slice& s) { return slice_problem(s, arg, result, starts); },
        [&](const ir::Broadcast& b) -> std::optional<std::string> {
            for (std::size_t k = 0; k < arg.size(); ++k) check(arg[k] == result[b.axes[k]], "extents of a broadcast");
            return {};
        },
        [&](const ir::Reshape&) -> std::optional<std::string> {
            const std::int64_t before = ir::sizes::product(arg), after = ir::sizes::product(result);
            if (ir::sizes::equal(before, after)) return {};
            return fmt::format("{} elements as {}", ir::print_count(before), ir::print_count(after));
        },
        [](const ir::Shift&) -> std::optional<std::string> { return {}; });
}

}  // namespace sinter::interp
