// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/index/guarded_index.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// The comparison that holds where `op` does not, of numbers that are ordered; nothing for anything else.
std::optional<Op> opposite(Op op) {
    switch (op) {
        case Op::less:
            return Op::greater_equal;
        case Op::less_equal:
            return Op::greater;
        case Op::greater:
            return Op::less_equal;
        case Op::greater_equal:
            return Op::less;
        case Op::equal:
            return Op::not_equal;
        case Op::not_equal:
            return Op::equal;
        default:
            return std::nullopt;
    }
}

/// The comparison with its sides exchanged.
Op turned(Op op) {
    switch (op) {
        case Op::less:
            return Op::greater;
        case Op::less_equal:
            return Op::greater_equal;
        case Op::greater:
            return Op::less;
        case Op::greater_equal:
            return Op::less_equal;
        default:
            return op;
    }
}

}  // namespace

std::optional<NeighbourIndex> Guards::match(Local index, SizeId extent) const {
    const auto own = indices_.sum(index, extent);
    if (!own || own->extents != 0 || own->offset == 0) return std::nullopt;
    const NeighbourIndex at{own->axis, own->offset, Boundary::clamp};
    const bool inside = std::any_of(conditions_.begin(), conditions_.end(),
                                    [&](const Condition& condition) { return implies(condition, at, extent); });
    return inside ? std::optional(at) : std::nullopt;
}

/// True if the condition keeps the neighbour inside.
bool Guards::implies(const Condition& condition, const NeighbourIndex& at, SizeId extent) const {
    const Inst* inst = indices_.definition(condition.local);
    if (inst == nullptr) return false;
    const auto operand = [&](std::size_t k, bool holds) { return implies({inst->operands[k], holds}, at, extent); };
    if (inst->op == Op::bit_not) return operand(0, !condition.holds);
    if (inst->op == (condition.holds ? Op::bit_and : Op::bit_or))
        return operand(0, condition.holds) || operand(1, condition.holds);
    if (!is_comparison(inst->op) || inst->operands.size() != 2) return false;
    const auto op = condition.holds ? std::optional(inst->op) : opposite(inst->op);
    if (!op) return false;
    return bounds(*op, inst->operands[0], inst->operands[1], at, extent) ||
           bounds(turned(*op), inst->operands[1], inst->operands[0], at, extent);
}

/// The same of a comparison of the index, plus a constant, with a number, or with the extent plus one.
bool Guards::bounds(Op op, Local left, Local right, const NeighbourIndex& at, SizeId extent) const {
    const auto own = indices_.sum(left, extent);
    if (!own || own->axis != at.axis || own->extents != 0) return false;
    if (at.offset < 0) {  // index >= least
        const auto number = indices_.constant(right);
        if (!number || *number < 0 || *number > NeighbourIndices::farthest) return false;
        const std::int64_t least = *number - own->offset + (op == Op::greater || op == Op::not_equal ? 1 : 0);
        if (op == Op::not_equal) return least == 1 && at.offset == -1;  // it is not 0
        return (op == Op::greater || op == Op::greater_equal || op == Op::equal) && least >= -at.offset;
    }
    const auto more = indices_.beyond_extent(right, extent);  // index < extent + room
    if (!more) return false;
    const std::int64_t room = *more - own->offset + (op == Op::less_equal || op == Op::equal ? 1 : 0);
    if (op == Op::not_equal) return room == -1 && at.offset == 1;  // it is not the last
    return (op == Op::less || op == Op::less_equal || op == Op::equal) && room <= -at.offset;
}

}  // namespace sinter::enable
