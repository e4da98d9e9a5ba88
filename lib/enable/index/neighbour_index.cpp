// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/index/neighbour_index.hpp"

#include <cstdlib>

namespace sinter::enable {

using namespace ir;

const Inst* NeighbourIndices::definition(Local local, Op op) const {
    const Inst* inst = defined_[local.index];
    return inst && inst->op == op ? inst : nullptr;
}

std::optional<std::int64_t> NeighbourIndices::constant(Local local) const {
    const Inst* inst = definition(local, Op::constant);
    return inst ? std::optional(static_cast<std::int64_t>(inst->bits)) : std::nullopt;
}

bool NeighbourIndices::is_given(Local local, SizeId extent, std::int64_t more) const {
    return local.index >= rank_ && local.index < params_ && beyond_(local, extent) == more;
}

bool NeighbourIndices::is_extent(Local local, SizeId extent) const {
    if (is_given(local, extent, 0)) return true;
    const Inst* inst = definition(local, Op::extent);
    return inst && extent_(*inst) == extent;
}

std::optional<std::int64_t> NeighbourIndices::beyond_extent(Local local, SizeId extent) const {
    if (is_extent(local, extent)) return 0;
    if (local.index >= rank_ && local.index < params_) return beyond_(local, extent);
    if (const Inst* less = definition(local, Op::sub)) {
        const auto number = is_extent(less->operands[0], extent) ? constant(less->operands[1]) : std::nullopt;
        return number && std::abs(*number) <= farthest ? std::optional(-*number) : std::nullopt;
    }
    const Inst* more = definition(local, Op::add);
    if (more == nullptr) return std::nullopt;
    const bool first = is_extent(more->operands[0], extent);
    const auto number =
        first || is_extent(more->operands[1], extent) ? constant(more->operands[first ? 1 : 0]) : std::nullopt;
    return number && std::abs(*number) <= farthest ? number : std::nullopt;
}

bool NeighbourIndices::is_last(Local local, SizeId extent) const { return beyond_extent(local, extent) == -1; }

std::optional<NeighbourIndices::Sum> NeighbourIndices::sum(Local local, SizeId extent) const {
    if (local.index < rank_) return Sum{local.index, 0, 0};
    const Inst *more = definition(local, Op::add), *less = definition(local, Op::sub);
    if (!more && !less) return std::nullopt;
    Local first = (more ? more : less)->operands[0], second = (more ? more : less)->operands[1];
    if (more && (constant(first) || is_extent(first, extent))) std::swap(first, second);
    const auto number = constant(second);
    if (number ? std::abs(*number) > farthest : !more || !is_extent(second, extent)) return std::nullopt;
    auto result = sum(first, extent);
    if (!result) return std::nullopt;
    if (number)
        result->offset += more ? *number : -*number;
    else
        ++result->extents;
    return std::abs(result->offset) <= farthest ? result : std::nullopt;
}

/// The nearer bound may be left out if only the other one can be crossed.
std::optional<NeighbourIndex> NeighbourIndices::clamped(Local index, SizeId extent) const {
    bool low = false, high = false;
    while (true) {
        const Inst *from = definition(index, Op::maximum), *to = definition(index, Op::minimum);
        if (!from && !to) break;
        Local first = (from ? from : to)->operands[0], second = (from ? from : to)->operands[1];
        auto is_bound = [&](Local l) { return from ? constant(l) == 0 : is_last(l, extent); };
        if (is_bound(first)) std::swap(first, second);
        if (!is_bound(second)) return std::nullopt;
        (from ? low : high) = true;
        index = first;
    }
    const auto own = sum(index, extent);
    if (!own || own->extents != 0 || (own->offset < 0 && !low) || (own->offset > 0 && !high)) return std::nullopt;
    if (own->offset == 0) return NeighbourIndex{own->axis};
    return NeighbourIndex{own->axis, own->offset, Boundary::clamp};
}

/// The remainder of a sum that is not negative along any axis that has elements.
std::optional<NeighbourIndex> NeighbourIndices::wrapped(Local index, SizeId extent) const {
    const Inst* rest = definition(index, Op::rem);
    if (!rest || !is_extent(rest->operands[1], extent)) return std::nullopt;
    const auto own = sum(rest->operands[0], extent);
    if (!own || own->extents < 0 || own->extents > 1 || own->offset + own->extents < 0) return std::nullopt;
    if (own->offset == 0) return NeighbourIndex{own->axis};
    return NeighbourIndex{own->axis, own->offset, Boundary::wrap};
}

std::optional<NeighbourIndex> NeighbourIndices::match(Local index, SizeId extent) const {
    if (auto found = clamped(index, extent)) return found;
    return wrapped(index, extent);
}

}  // namespace sinter::enable
