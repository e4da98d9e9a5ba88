// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = init op a0 op a1 op ... A sum passes its adjoint on to all elements; a product passes on y / a, with cases for how
// many factors are zero; min and max pass it to the first element that has the value. Any other operator is differentiated
// step by step, as a scan of which only the last state counts.
#include "ad/reverse/additive.hpp"
#include "ad/reverse/reverse.hpp"
#include "ir/derivative/partials.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

void Reverse::pull_fold(const Fold& fold, const Done& done) {
    const bool captures = !fold.captures.scalars.empty() || !fold.captures.arrays.empty();
    if (!captures && is_additive(fold.op, fold.args.size())) return pull_sum(fold, done);
    const std::optional<Op> op = captures ? std::nullopt : as_single_op(fold.op);
    if (op == Op::mul) return pull_product(fold, done);
    if (op == Op::minimum || op == Op::maximum) return pull_extremum(fold, done);
    pull_steps_of_fold(fold, done);
}

void Reverse::pull_sum(const Fold& fold, const Done& done) {
    for (std::size_t k = 0; k < fold.args.size(); ++k) {
        if (!done.adjoints[k]) continue;
        contribute(fold.args[k], spread(*done.adjoints[k], fold.axes, type(rename(fold.args[k])).shape));
        contribute_sum(fold.inits[k], *done.adjoints[k]);
    }
}

namespace {

/// {p, z, a, b -> ..}: the product of the factors that are not zero, and the number of those that are.
Fn count_zeros(Scalar scalar) {
    BlockBuilder builder;
    builder.open({scalar, Scalar::i64, scalar, Scalar::i64});
    const Local product = builder.emit(Op::mul, {Local(0), Local(2)}), zeros = builder.emit(Op::add, {Local(1), Local(3)});
    return {{}, builder.close({product, zeros})};
}

/// {a -> a, or 1 if a is zero; whether it is zero}
Fn without_zero(Scalar scalar) {
    BlockBuilder builder;
    builder.open({scalar});
    Terms terms(builder);
    const Local zero = terms.apply(Op::equal, Local(0), terms.zero(scalar));
    const Local factor = terms.select(zero, terms.number(scalar, 1), Local(0));
    return {{}, builder.close({factor, builder.cast(Scalar::i64, zero)})};
}

/// {a, product, zeros, adjoint -> adjoint times the product of the other factors}; `infinite`: 0 times an infinite product
/// is 0.
Fn other_factors(Scalar scalar, bool infinite) {
    BlockBuilder builder;
    builder.open({scalar, scalar, Scalar::i64, scalar});
    Terms terms(builder);
    const Local zero = terms.zero(scalar), none = terms.apply(Op::equal, Local(2), builder.constant_index(0));
    const Local alone = terms.apply(Op::bit_and, terms.apply(Op::equal, Local(2), builder.constant_index(1)),
                                    terms.apply(Op::equal, Local(0), zero));
    const Local others = terms.select(none, terms.div(Local(1), Local(0)), terms.select(alone, Local(1), zero));
    const Partial factor{infinite ? Partial::Kind::wild : Partial::Kind::factor, others};
    return {{}, builder.close({pulled(terms, factor, Local(3), scalar)})};
}

}  // namespace

void Reverse::pull_product(const Fold& fold, const Done& done) {
    const Type element = type(rename(fold.args[0])), result = type(done.results[0]);
    const Scalar scalar = result.scalar;
    auto split = [&](ValueId array) {
        const Shape shape = type(array).shape;
        return emit(Map{without_zero(scalar), {array}, {}, false}, {{scalar, shape}, {Scalar::i64, shape}});
    };
    const ValueId init = rename(fold.inits[0]), arg = rename(fold.args[0]);
    const ValueId inits = split(init), args = split(arg);
    const ValueId product = emit(
        Fold{count_zeros(scalar), {inits, ValueId(inits.index + 1)}, {args, ValueId(args.index + 1)}, {}, fold.axes, true},
        {result, {Scalar::i64, result.shape}});
    const bool infinite = (infinite_(fold.args[0]) || infinite_(fold.inits[0])) && is_masked(done.adjoints, fold.op);
    auto pass_on = [&](ValueId to, const std::vector<std::size_t>& axes, const Shape& shape) {
        return map(other_factors(scalar, infinite),
                   {to, spread(product, axes, shape), spread(ValueId(product.index + 1), axes, shape),
                    spread(*done.adjoints[0], axes, shape)},
                   scalar);
    };
    if (wants(fold.args[0])) contribute(fold.args[0], pass_on(arg, fold.axes, element.shape));
    if (!wants(fold.inits[0])) return;
    std::vector<std::size_t> all(result.rank());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const ValueId wide = type(init).rank() == result.rank() ? init : broadcast(init, {}, result.shape);
    contribute_sum(fold.inits[0], pass_on(wide, {}, result.shape));
}

namespace {

/// {a, y, place -> place where a is y, else a place after all others}
Fn place_of(Scalar scalar) {
    BlockBuilder builder;
    builder.open({scalar, scalar, Scalar::i64});
    const Local same = builder.emit(Op::equal, {Local(0), Local(1)});
    const Local place = builder.emit(Op::select, {same, Local(2), builder.constant_index(INT64_MAX)});
    return {{}, builder.close({place})};
}

/// {place, first, adjoint -> adjoint where they are equal}
Fn where_first(Scalar scalar) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64, scalar});
    Terms terms(builder);
    const Local here = terms.apply(Op::equal, Local(0), Local(1));
    return {{}, builder.close({terms.select(here, Local(2), terms.zero(scalar))})};
}

Fn least() { return index_op(Op::minimum); }

/// {place -> place, but -1 instead of the place after all others}
Fn place_unless_after() {
    BlockBuilder builder;
    builder.open({Scalar::i64});
    const Local after = builder.emit(Op::equal, {Local(0), builder.constant_index(INT64_MAX)});
    return {{}, builder.close({builder.emit(Op::select, {after, builder.constant_index(-1), Local(0)})})};
}

/// {place, adjoint -> adjoint, but 0 where the place is negative}
Fn unless_none(Scalar scalar) {
    BlockBuilder builder;
    builder.open({Scalar::i64, scalar});
    Terms terms(builder);
    const Local none = terms.apply(Op::less, Local(0), builder.constant_index(0));
    return {{}, builder.close({terms.select(none, terms.zero(scalar), Local(1))})};
}

}  // namespace

/// The place of an element is its position in row-major order along the folded axes; the init comes before all elements.
void Reverse::pull_extremum(const Fold& fold, const Done& done) {
    const ValueId arg = rename(fold.args[0]), init = rename(fold.inits[0]), result = done.results[0];
    const Shape shape = type(arg).shape, narrow = type(result).shape;
    const Scalar scalar = type(arg).scalar;
    ValueId place = position(shape, fold.axes[0]);
    for (std::size_t k = 1; k < fold.axes.size(); ++k) {
        BlockBuilder builder;
        builder.open({Scalar::i64, Scalar::i64, Scalar::i64});
        const Local row = builder.emit(Op::mul, {Local(0), Local(2)}), sum = builder.emit(Op::add, {row, Local(1)});
        const ValueId extent = extent_of(arg, fold.axes[k]);
        place = emit(Map{{{}, builder.close({sum})}, {place, position(shape, fold.axes[k])}, {{extent}, {}}, false},
                     {{Scalar::i64, shape}});
    }
    const ValueId candidates = map(place_of(scalar), {arg, spread(result, fold.axes, shape), place}, Scalar::i64);
    const ValueId wide = type(init).rank() == narrow.size() ? init : broadcast(init, {}, narrow);
    const ValueId before = map(place_of(scalar), {wide, result, filled_index(narrow, -1)}, Scalar::i64);
    const ValueId first = emit(Fold{least(), {before}, {candidates}, {}, fold.axes, true}, {{Scalar::i64, narrow}});
    if (wants(fold.args[0]) && fold.axes.size() == 1) {
        // What is after all others is none, too: of NaNs, none is equal to the result.
        const ValueId picked = map(place_unless_after(), {first}, Scalar::i64);
        contribute_picked(fold.args[0],
                          {fold.axes[0], picked, map(unless_none(scalar), {picked, *done.adjoints[0]}, scalar)});
    } else if (wants(fold.args[0])) {
        contribute(fold.args[0],
                   map(where_first(scalar),
                       {place, spread(first, fold.axes, shape), spread(*done.adjoints[0], fold.axes, shape)}, scalar));
    }
    if (wants(fold.inits[0]))
        contribute_sum(fold.inits[0], map(where_first(scalar), {before, first, *done.adjoints[0]}, scalar));
}

/// The folded axes become one, the last; the states before each step are an exclusive scan.
void Reverse::pull_steps_of_fold(const Fold& fold, const Done& done) {
    const Shape shape = type(rename(fold.args[0])).shape, narrow = type(done.results[0]).shape;
    std::vector<std::size_t> order;
    SizeId folded = sizes().constant(1);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (std::find(fold.axes.begin(), fold.axes.end(), axis) == fold.axes.end()) order.push_back(axis);
    for (std::size_t axis : fold.axes) order.push_back(axis), folded = sizes().mul(folded, shape[axis]);
    Shape moved, line = narrow;
    for (std::size_t axis : order) moved.push_back(shape[axis]);
    line.push_back(folded);
    const bool in_place = std::is_sorted(order.begin(), order.end()) && fold.axes.size() == 1;
    Walk steps{fold.op, fold.captures, line.size() - 1, false, false, {}, {}, {}, {}, done.adjoints, {}};
    steps.infinite = infinite_steps(done, fold.args.size(), fold.args, fold.op);
    std::vector<Type> types;
    for (ValueId arg : renamed(fold.args)) {
        steps.elements.push_back(in_place ? arg : reshape(transpose(arg, order), line));
        types.push_back({type(arg).scalar, line});
    }
    const ValueId before = emit(Scan{fold.op,
                                     renamed(fold.inits),
                                     steps.elements,
                                     {renamed(fold.captures.scalars), renamed(fold.captures.arrays)},
                                     steps.axis,
                                     true},
                                types);
    for (std::size_t k = 0; k < types.size(); ++k) steps.states.push_back(ValueId(before.index + k));
    steps.after.resize(types.size()), steps.before.resize(types.size());
    const Walked walked = walk(steps);
    std::vector<std::size_t> back(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) back[order[k]] = k;
    for (std::size_t k = 0, next = 0; k < fold.args.size(); ++k) {
        if (!detail::is_float(types[k].scalar)) continue;
        const ValueId element = walked.elements[next], init = walked.inits[next];
        ++next;
        contribute(fold.args[k], in_place ? element : transpose(reshape(element, moved), back));
        contribute_sum(fold.inits[k], init);
    }
}

}  // namespace sinter::ad
