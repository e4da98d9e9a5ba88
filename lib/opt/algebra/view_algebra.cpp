// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/algebra/view_algebra.hpp"

#include "support/match.hpp"

#include <algorithm>
#include <limits>

namespace sinter::opt {

using namespace ir;

namespace {

bool counts_up(const std::vector<std::size_t>& axes) {
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] != i) return false;
    return true;
}

std::vector<std::size_t> chosen(const std::vector<std::size_t>& from, const std::vector<std::size_t>& positions) {
    std::vector<std::size_t> result;
    for (std::size_t position : positions) result.push_back(from[position]);
    return result;
}

/// arg[s + (t + i v) u] = arg[(s + t u) + i (u v)]
std::optional<IndexFunction> compose_slices(SizeTable& sizes, const Slice& inner, const Slice& outer) {
    Slice slice;
    for (std::size_t axis = 0; axis < inner.start.size(); ++axis) {
        std::int64_t step = inner.step[axis], product = 0;
        if (step == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
        if (__builtin_mul_overflow(step, outer.step[axis], &product)) return std::nullopt;
        SizeId distance = sizes.mul(outer.start[axis], sizes.constant(step < 0 ? -step : step));
        SizeId start = inner.start[axis];
        slice.start.push_back(step < 0 ? sizes.sub(start, distance) : sizes.add(start, distance));
        slice.step.push_back(product);
    }
    return slice;
}

}  // namespace

bool is_identity(const SizeTable& sizes, const IndexFunction& function, const Type& arg, const Type& result) {
    if (arg != result) return false;
    return match(
        function, [](const Transpose& transpose) { return counts_up(transpose.axes); },
        [&](const Slice& slice) {
            for (std::size_t axis = 0; axis < slice.step.size(); ++axis)
                if (slice.step[axis] != 1 || !sizes.is_constant(slice.start[axis], 0)) return false;
            return true;
        },
        [](const Broadcast&) { return true; }, [](const Reshape&) { return true; },
        [](const Shift& shift) {
            return std::all_of(shift.offset.begin(), shift.offset.end(), [](std::int64_t by) { return by == 0; });
        });
}

std::optional<IndexFunction> compose(SizeTable& sizes, const IndexFunction& inner, const IndexFunction& outer) {
    if (inner.index() != outer.index()) return std::nullopt;
    return match(
        outer,
        [&](const Transpose& transpose) -> std::optional<IndexFunction> {
            return Transpose{chosen(std::get<Transpose>(inner).axes, transpose.axes)};
        },
        [&](const Slice& slice) { return compose_slices(sizes, std::get<Slice>(inner), slice); },
        [&](const Broadcast& broadcast) -> std::optional<IndexFunction> {
            return Broadcast{chosen(broadcast.axes, std::get<Broadcast>(inner).axes)};
        },
        [](const Reshape&) -> std::optional<IndexFunction> { return Reshape{}; },
        [](const Shift&) -> std::optional<IndexFunction> { return std::nullopt; });
}

}  // namespace sinter::opt
