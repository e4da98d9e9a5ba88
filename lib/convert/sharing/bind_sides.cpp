// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cond whose sides return different extents. The program has no operation for it: it becomes two loops of one iteration or
// none, one for each side. Their states are the results, and begin empty; extents that may differ are those that the loops
// change:
//     %n = select(condition, 1, 0)    %r = for_loop %n (empty) {first side}
//     %m = select(condition, 0, 1)    %s = for_loop %m (%r)    {second side}
// So what executes, lifts and fuses loops does the same for it, and the side that is not taken is neither executed nor
// checked.
#include "convert/sharing/binding.hpp"

#include <algorithm>
#include <iterator>

namespace sinter::convert {

namespace {

ir::Map zero(ir::Scalar type) {
    ir::Map made;
    made.fn.body.insts = {{ir::Op::constant, {type}, 0, {}, {}}};
    made.fn.body.results = {ir::Local(0)};
    return made;
}

/// Which extents differ: axes of results, in order.
std::vector<ir::StateAxis> changing_axes(const Term& term) {
    std::vector<ir::StateAxis> axes;
    std::size_t position = 0;
    for (std::size_t r = 0; r < term.node->types.size(); ++r)
        for (std::size_t axis = 0; axis < term.node->types[r].shape.size(); ++axis)
            if (term.changes(position++)) axes.push_back({r, axis});
    return axes;
}

/// condition ? then : otherwise, as a count.
ir::Map choose(ValueId condition, std::uint64_t then, std::uint64_t otherwise) {
    ir::Map made;
    made.fn.body.params = {ir::Scalar::boolean};
    made.fn.body.insts = {{ir::Op::constant, {ir::Scalar::i64}, then, {}, {}},
                          {ir::Op::constant, {ir::Scalar::i64}, otherwise, {}, {}},
                          {ir::Op::select, {ir::Scalar::i64}, 0, {ir::Local(0), ir::Local(1), ir::Local(2)}, {}}};
    made.fn.body.results = {ir::Local(3)};
    made.args = {condition};
    return made;
}

}  // namespace

ValueId Binding::append(ir::ArrayOp op, std::vector<ir::Type> types, ir::SiteId where, std::vector<ir::Binding>& made) {
    const ValueId first(next_level_);
    next_level_ += types.size();
    made.push_back({std::move(op), std::move(types), where});
    return first;
}

/// The result's type, with the next of `extents` where an extent differs.
ir::Type Binding::type_with(const Term& term, std::uint32_t result, std::size_t& position, const SizeId*& extents) {
    ir::Type type{term.node->types[result].scalar, {}};
    for (SizeId extent : sized_.shape(term.first_variable + result))
        type.shape.push_back(term.changes(position++) ? *extents++ : size(extent));
    return type;
}

std::vector<ir::Type> Binding::types_with(const Term& term, const std::vector<SizeId>& extents) {
    std::vector<ir::Type> types;
    std::size_t position = 0;
    const SizeId* next = extents.data();
    for (std::uint32_t r = 0; r < term.node->types.size(); ++r) types.push_back(type_with(term, r, position, next));
    return types;
}

/// `count` extents that are the values of variables from `first` on.
std::vector<SizeId> Binding::extents_from(ValueId first, std::size_t count) {
    std::vector<SizeId> extents;
    for (std::size_t k = 0; k < count; ++k) extents.push_back(out_.program.sizes.value(ValueId(first.index + k)));
    return extents;
}

/// One side, with parameters that it does not use: the number of the iteration, the extents that change, the states.
ir::Body Binding::side(const Term& term, ScopeId scope) {
    const std::size_t outer_level = next_level_;
    const ValueId first_extent(next_level_ + 1);
    std::vector<ir::Type> params(1 + term.extents, {ir::Scalar::i64, {}});
    next_level_ += params.size();
    const auto states = types_with(term, extents_from(first_extent, term.extents));
    params.insert(params.end(), states.begin(), states.end());
    next_level_ += states.size();
    ir::Body made = body(scope);
    made.params = std::move(params);
    next_level_ = outer_level;
    return made;
}

void Binding::bind_sides(TermId id, std::vector<ir::Binding>& made) {
    const Term& term = pruned_[id];
    const ValueId condition = value(uses(id)[0]);
    const std::vector<ir::StateAxis> changing = changing_axes(term);
    const std::vector<SizeId> none(changing.size(), out_.program.sizes.constant(0));
    std::vector<ValueId> states;
    for (const ir::Type& type : types_with(term, none)) states.push_back(append(zero(type.scalar), {type}, site(id), made));
    for (std::uint32_t which = 0; which < 2; ++which) {
        const ValueId count = append(choose(condition, 1 - which, which), {{ir::Scalar::i64, {}}}, site(id), made);
        ir::Loop loop{count, states, {side(term, ScopeId(term.scopes.begin + which))}, changing};
        std::vector<ir::Type> types(changing.size(), {ir::Scalar::i64, {}});
        if (which == 0) {
            std::ranges::copy(types_with(term, extents_from(ValueId(next_level_), changing.size())),
                              std::back_inserter(types));
        } else {
            // The results of the cond, whose extents may be written as others of which a guard says that they are equal.
            for (std::size_t k = 0; k < changing.size(); ++k)
                level_[term.first_variable + states.size() + k] = ValueId(next_level_ + k);
            for (std::uint32_t r = 0; r < states.size(); ++r) types.push_back(type(term, r));
        }
        const ValueId results = append(std::move(loop), std::move(types), site(id), made);
        for (std::size_t r = 0; r < states.size(); ++r) states[r] = ValueId(results.index + changing.size() + r);
    }
    for (std::size_t r = 0; r < states.size(); ++r) level_[term.first_variable + r] = states[r];
}

}  // namespace sinter::convert
