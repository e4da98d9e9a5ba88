// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/given_sizes.hpp"

#include "convert/sizes/size_of_scalar.hpp"
#include "convert/tuning.hpp"

namespace sinter::convert {

/// Axes with a single index are part of the program: they move nothing and repeat nothing. So are those that are likely to
/// be split.
SizeId GivenSizes::literal(std::int64_t value) {
    if (value == 1 || (value > 0 && divisors_.any_divides(value))) return sized_.sizes.table.constant(value);
    auto key = static_cast<std::uint64_t>(value);
    std::uint32_t index = literals_.find(key);
    if (index == HashTable::none) {
        index = static_cast<std::uint32_t>(sized_.literals.size());
        sized_.literals.push_back(value);
        literals_.insert(key, index);
        sized_.sizes.set_known(sized_.sizes.table.argument(index), value);
    }
    return sized_.sizes.table.argument(index);
}

SizeId GivenSizes::value_of(const Use& use, int depth) {
    std::uint32_t variable = pruned_.variable(use);
    if (values_[variable].valid()) return values_[variable];
    const front::Node& node = *pruned_[use.term].node;
    SizeId size;
    if (const auto* constant = std::get_if<front::Literal>(&node.op)) {
        size = literal(static_cast<std::int64_t>(constant->bits));
    } else if (const auto* extent = std::get_if<front::ExtentOf>(&node.op)) {
        size = shape_of(pruned_.in(pruned_[use.term].uses)[0])[extent->axis];
    } else if (const auto* scalar = std::get_if<front::Map>(&node.op); scalar && depth < 64) {
        size = value_of_map(use, *scalar, depth);
    }
    if (!size.valid()) size = value(use.term, variable);
    return values_[variable] = size;
}

/// Inner scopes are greater, and so are later variables.
SizeId GivenSizes::value(TermId term, std::uint32_t variable) {
    const SizeId size = sized_.sizes.table.value(ir::ValueId(variable));
    bool input = pruned_[term].binder == ScopeId(0) || std::holds_alternative<front::Input>(pruned_[term].node->op);
    sized_.sizes.set_place(size, input ? -1 : std::int64_t{needs_.of(term).index} << 32 | variable);
    return size;
}

SizeId GivenSizes::value_of_map(const Use& use, const front::Map& op, int depth) {
    auto operands = pruned_.in(pruned_[use.term].uses);
    std::size_t scalars = op.args.size() + op.captures.scalars.size();
    auto param = [&](std::size_t k) { return value_of(operands[k], depth + 1); };
    auto extent = [&](std::size_t slot, std::size_t axis) { return shape_of(operands[scalars + slot])[axis]; };
    auto constant = [&](std::int64_t v) {
        return -tuning::small_number <= v && v <= tuning::small_number ? sized_.sizes.table.constant(v) : literal(v);
    };
    return size_of_scalar(op.fn, use.result, {param, extent, constant}, sized_.sizes);
}

}  // namespace sinter::convert
