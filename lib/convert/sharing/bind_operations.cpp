// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sharing/binding.hpp"

#include <algorithm>

namespace sinter::convert {

std::vector<ValueId> Binding::values(std::span<const Use> uses) const {
    std::vector<ValueId> ids;
    ids.reserve(uses.size());
    for (const Use& use : uses) ids.push_back(value(use));
    return ids;
}

/// `fn` with its lifted literals as further captured scalars.
ir::Fn Binding::function(TermId id, const ir::Fn& fn, ir::Captures& captures) {
    std::uint32_t lifted = inputs_.lifted_of[id.index];
    if (lifted == Inputs::none) return fn;
    const std::vector<ValueId>& literals = inputs_.literals[lifted];
    captures.scalars.insert(captures.scalars.end(), literals.begin(), literals.end());
    return std::move(inputs_.lifted[lifted].fn);
}

ir::ArrayOp Binding::map(TermId id, const front::Map& op) {
    OperandReader operands(*this, id);
    ir::Map made;
    made.args = operands.take(op.args.size());
    made.captures = operands.take(op.captures);
    made.indexed = op.indexed;
    made.fn = function(id, op.fn, made.captures);
    return made;
}

/// What folds and scans have in common.
template <class Made, class Op>
Made Binding::reduction(TermId id, const Op& op) {
    OperandReader operands(*this, id);
    Made made;
    made.inits = operands.take(op.inits.size());
    made.args = operands.take(op.args.size());
    made.captures = operands.take(op.captures);
    made.op = function(id, op.op, made.captures);
    return made;
}

ir::ArrayOp Binding::fold(TermId id, const front::Fold& op) {
    auto made = reduction<ir::Fold>(id, op);
    made.axes = op.axes;
    made.commutative = op.commutative;
    return made;
}

ir::ArrayOp Binding::scan(TermId id, const front::Scan& op) {
    auto made = reduction<ir::Scan>(id, op);
    made.axis = op.axis;
    made.exclusive = op.exclusive;
    made.reverse = op.reverse;
    made.totals = op.totals;
    made.sequential = op.sequential;
    return made;
}

ir::ArrayOp Binding::scatter(TermId id, const front::Scatter& op) {
    OperandReader operands(*this, id);
    ir::Scatter made;
    made.dests = operands.take(op.dests.size());
    made.indices = operands.take(op.indices.size());
    made.values = operands.take(op.values.size());
    made.captures = operands.take(op.captures);
    if (op.drops) made.drops = 0;
    if (op.op) made.op = function(id, *op.op, made.captures);
    return made;
}

ir::View Binding::slice(TermId id, std::vector<std::int64_t> steps) {
    ir::Slice made{{}, std::move(steps)};
    Range starts = sized_.starts_of[id.index];
    for (std::uint32_t k = starts.begin; k < starts.end; ++k) made.start.push_back(size(sized_.starts[k]));
    return {value(uses(id)[0]), std::move(made)};
}

ir::View Binding::pad(TermId id) {
    ir::View made = slice(id, std::vector<std::int64_t>(pruned_[id].node->types[0].shape.size(), 1));
    made.fill = value(uses(id)[1]);
    return made;
}

std::vector<ir::Body> Binding::bodies(const Term& term) {
    std::vector<ir::Body> made;
    for (std::uint32_t s = term.scopes.begin; s < term.scopes.end; ++s) made.push_back(body(ScopeId(s)));
    return made;
}

ir::ArrayOp Binding::loop(TermId id, const front::Loop& op) {
    auto all = uses(id);
    ir::Loop made;
    if (op.counted) made.count = value(all[0]);
    made.inits = values(all.subspan(op.counted ? 1 : 0));
    made.bodies = bodies(pruned_[id]);
    const Range states = pruned_.scopes[pruned_[id].scopes.end - 1].params;
    const std::uint32_t first = states.begin + (op.counted ? 1 : 0);
    for (std::uint32_t p = first; p < states.end; ++p)
        for (std::size_t axis = 0; axis < pruned_.terms[p].node->types[0].shape.size(); ++axis)
            if (pruned_.terms[p].changes(axis)) made.changing.push_back({p - first, axis});
    return made;
}

ir::Map Binding::constant(const Term& term, std::uint64_t bits) const {
    ir::Map made;
    made.fn.body.insts.push_back({ir::Op::constant, {term.node->types[0].scalar}, bits, {}, {}});
    made.fn.body.results = {ir::Local(0)};
    return made;
}

ir::Map Binding::extent(const Term& term, std::size_t axis) const {
    const Use& array = pruned_.in(term.uses)[0];
    const front::LeafType& type = pruned_[array.term].node->types[array.result];
    ir::Map made;
    made.fn.arrays.push_back({type.scalar, type.shape.size()});
    made.fn.body.insts.push_back({ir::Op::extent, {ir::Scalar::i64}, axis, {}, {}});
    made.fn.body.results = {ir::Local(0)};
    made.captures.arrays = {value(array)};
    return made;
}

/// The number of the function in the program; functions that are the same have the same number.
std::size_t Binding::foreign(const ForeignRef& function) {
    const auto same = [&](const ForeignRef& other) { return other->equals(*function); };
    const auto found = std::find_if(out_.functions.begin(), out_.functions.end(), same);
    const auto number = static_cast<std::size_t>(found - out_.functions.begin());
    if (found == out_.functions.end()) out_.functions.push_back(function);
    return number;
}

ir::ArrayOp Binding::operation(TermId id) {
    const Term& term = pruned_[id];
    auto view = [&](ir::IndexFunction function) -> ir::ArrayOp { return ir::View{value(uses(id)[0]), std::move(function)}; };
    return match(
        term.node->op, [](const front::Input&) -> ir::ArrayOp { fail_check("an input is not bound", location::current()); },
        [](const front::Parameter&) -> ir::ArrayOp { fail_check("a parameter is not bound", location::current()); },
        [&](const front::Literal& o) -> ir::ArrayOp { return constant(term, o.bits); },
        [&](const front::ExtentOf& o) -> ir::ArrayOp { return extent(term, o.axis); },
        [&](const front::Map& o) { return map(id, o); }, [&](const front::Fold& o) { return fold(id, o); },
        [&](const front::Transpose& o) { return view(ir::Transpose{o.axes}); },
        [&](const front::Slice& o) -> ir::ArrayOp { return slice(id, o.step); },
        [&](const front::Reverse& o) -> ir::ArrayOp {
            std::vector<std::int64_t> steps(term.node->types[0].shape.size(), 1);
            for (std::size_t axis : o.axes) steps[axis] = -1;
            return slice(id, std::move(steps));
        },
        [&](const front::Broadcast& o) { return view(ir::Broadcast{o.axes}); },
        [&](const front::Reshape&) { return view(ir::Reshape{}); },
        [&](const front::Flatten&) { return view(ir::Reshape{}); },
        [&](const front::Gather& o) -> ir::ArrayOp {
            auto all = uses(id);
            return ir::Gather{values(all.first(o.indices.size())), values(all.subspan(o.indices.size()))};
        },
        [&](const front::Force&) -> ir::ArrayOp { return ir::Force{values(uses(id))}; },
        [&](const front::Cond&) -> ir::ArrayOp { return ir::Cond{value(uses(id)[0]), bodies(term)}; },
        [&](const front::Loop& o) { return loop(id, o); }, [&](const front::Scan& o) { return scan(id, o); },
        [&](const front::Compact&) -> ir::ArrayOp { return ir::Compact{value(uses(id)[0]), values(uses(id).subspan(1))}; },
        [&](const front::Scatter& o) { return scatter(id, o); },
        [&](const front::Sort& o) -> ir::ArrayOp { return ir::Sort{values(uses(id)), o.keys, o.descending}; },
        [&](const front::Foreign& o) -> ir::ArrayOp {
            ir::Foreign made{o.name, foreign(o.function), values(uses(id)), {}, o.by};
            if (o.rule) made.rule = foreign(o.rule);
            return made;
        },
        [&](const front::Derivative& o) -> ir::ArrayOp {
            const std::vector<ValueId> all = values(uses(id));
            const auto seeds = all.begin() + static_cast<std::ptrdiff_t>(o.args.size());
            return ir::Derivative{o.mode, {all.begin(), seeds}, o.by, {seeds, all.end()}, bodies(term)};
        },
        [&](const front::Custom& o) -> ir::ArrayOp { return ir::Custom{o.kind, values(uses(id)), bodies(term)}; },
        [&](const front::Vmap&) -> ir::ArrayOp { return ir::Vmap{values(uses(id)), bodies(term)}; },
        [&](const front::Rows& o) -> ir::ArrayOp {
            const auto all = uses(id);
            return ir::Rows{o.kind, o.reverse, values(all.first(o.inits.size())), values(all.subspan(o.inits.size())),
                            bodies(term)};
        },
        [&](const front::Shift& o) { return view(ir::Shift{o.offset, o.boundary}); },
        [&](const front::Pad&) -> ir::ArrayOp { return pad(id); });
}

// Bodies

}  // namespace sinter::convert
