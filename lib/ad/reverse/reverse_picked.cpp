// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fold with min or max passes its adjoint on to one element of each line. What this element was computed from by maps,
// sums and repetition gets its adjoint in the same form: only the elements that count are computed again and gone back
// through, as a reverse sweep written by hand does with argmin. Anything else gets an array that is zero elsewhere.
#include "ad/reverse/additive.hpp"
#include "ad/reverse/reverse.hpp"
#include "ir/derivative/adjoint_function.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

/// `values` without element `at`.
template <class T>
std::vector<T> without(std::vector<T> values, std::size_t at) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
    return values;
}

/// {place, index, value -> value where they are equal, else 0}
Fn at_place(Scalar scalar) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64, scalar});
    Terms terms(builder);
    const Local here = terms.apply(Op::equal, Local(0), Local(1));
    return {{}, builder.close({terms.select(here, Local(2), terms.zero(scalar))})};
}

/// {index.., place -> element of array 0 at the index with `place` inserted at `axis`, 0 if that is negative}
Fn read_at_place(ArrayParam array, std::size_t axis) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(array.rank, Scalar::i64));
    const Local place(array.rank - 1);
    Inst read{Op::read, {array.scalar}, 0, {}, {}};
    for (std::size_t k = 0, next = 0; k < array.rank; ++k) read.operands.push_back(k == axis ? place : Local(next++));
    Inst cond{Op::cond, {array.scalar}, 0, {builder.emit(Op::less, {place, builder.constant_index(0)})}, {}};
    builder.open({});
    const Local zero = builder.constant(array.scalar, 0);
    cond.blocks.push_back(builder.close({zero}));
    builder.open({});
    const Local element = builder.emit(std::move(read));
    cond.blocks.push_back(builder.close({element}));
    const Local result = builder.emit(std::move(cond));
    return {{array}, builder.close({result})};
}

/// {place, index -> index, -1 where place is negative}
Fn unless_none() {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64});
    const Local none = builder.emit(Op::less, {Local(0), builder.constant_index(0)});
    return {{}, builder.close({builder.emit(Op::select, {none, builder.constant_index(-1), Local(1)})})};
}

/// Maps of which single points can be computed once more.
bool is_pointwise(const Map& map) {
    auto is_impure = [](const Inst& inst) { return inst.types.empty() || !is_pure(inst.op, inst.type()); };
    return !map.indexed && !map.args.empty() && map.captures.arrays.empty() && !any_inst(map.fn.body, is_impure);
}

}  // namespace

void Reverse::contribute_picked(ValueId old, const Picked& picked) {
    if (!wants(old)) return;
    Adjoint& whole = adjoint_as_it_is(old);
    if (whole.is_picked() && whole.picked->axis == picked.axis && whole.picked->place == picked.place) {
        whole.picked->values = add(whole.picked->values, picked.values);
        return;
    }
    if (whole.sum || whole.picked || !whole.placed.empty()) return contribute(old, spread_picked(old, picked));
    whole.picked = picked;
}

/// The whole array.
ValueId Reverse::spread_picked(ValueId old, const Picked& picked) {
    const Type whole = type(rename(old));
    auto wide = [&](ValueId narrow) { return spread(narrow, {picked.axis}, whole.shape); };
    return map(at_place(whole.scalar), {wide(picked.place), position(whole.shape, picked.axis), wide(picked.values)},
               whole.scalar);
}

/// The elements of a variable at the places that were picked: computed again, or read.
ValueId Reverse::sample(ValueId old, const Picked& at) {
    const Type whole = type(rename(old)), narrow{whole.scalar, without(whole.shape, at.axis)};
    const Binding* made = old.index < definitions_.size() ? definitions_[old.index] : nullptr;
    if (const auto* map = made ? std::get_if<Map>(&made->op) : nullptr; map && is_pointwise(*map)) {
        Map again{map->fn, {}, {renamed(map->captures.scalars), {}}, false};
        for (ValueId arg : map->args) again.args.push_back(sample(arg, at));
        return emit(std::move(again), {narrow});
    }
    const auto* view = made ? std::get_if<View>(&made->op) : nullptr;
    if (const auto* broadcast = view ? std::get_if<Broadcast>(&view->function) : nullptr) {
        const auto axis = std::find(broadcast->axes.begin(), broadcast->axes.end(), at.axis);
        if (axis != broadcast->axes.end()) return read_picked(rename(view->arg), broadcast->axes, at, narrow);
        std::vector<std::size_t> axes;
        for (std::size_t each : broadcast->axes) axes.push_back(each > at.axis ? each - 1 : each);
        return this->broadcast(rename(view->arg), std::move(axes), narrow.shape);
    }
    std::vector<std::size_t> all(whole.rank());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    return read_picked(rename(old), all, at, narrow);
}

/// The array, axis k of which is axis axes[k] of what was picked from.
ValueId Reverse::read_picked(ValueId array, const std::vector<std::size_t>& axes, const Picked& at, const Type& narrow) {
    Map read{{}, {}, {{}, {array}}, false};
    std::size_t place = 0;
    for (std::size_t k = 0; k < axes.size(); ++k)
        if (axes[k] == at.axis)
            place = k;
        else
            read.args.push_back(position(narrow.shape, axes[k] > at.axis ? axes[k] - 1 : axes[k]));
    read.args.push_back(at.place);
    read.fn = read_at_place({narrow.scalar, axes.size()}, place);
    return emit(std::move(read), {narrow});
}

/// Returns false if the operation has no rule for such an adjoint of its only result.
bool Reverse::pull_picked(const Binding& binding, const Picked& picked) {
    if (const auto* map = std::get_if<Map>(&binding.op)) return pull_picked_map(*map, picked);
    if (const auto* fold = std::get_if<Fold>(&binding.op)) return pull_picked_sum(*fold, picked);
    const auto* view = std::get_if<View>(&binding.op);
    const auto* broadcast = view ? std::get_if<Broadcast>(&view->function) : nullptr;
    if (!broadcast) return false;
    pull_picked_broadcast(*view, *broadcast, picked);
    return true;
}

bool Reverse::pull_picked_map(const Map& map, const Picked& picked) {
    if (!is_pointwise(map)) return false;
    AdjointPlaces places;
    Map made{{}, {}, {renamed(map.captures.scalars), {}}, false};
    for (ValueId id : map.args) {
        places.primal.push_back(places.add(type(rename(id)).scalar)), places.wanted.push_back(wants(id));
        made.args.push_back(sample(id, picked));
    }
    places.cotangents.push_back(places.add(type(picked.values).scalar));
    made.args.push_back(picked.values);
    for (ValueId id : map.captures.scalars)
        places.primal.push_back(places.add(type(rename(id)).scalar)), places.wanted.push_back(wants(id));
    places.infinite = infinite_(map.args);
    for (ValueId id : map.captures.scalars) places.infinite.push_back(infinite_(id));
    derivative::Adjoint adjoint = adjoint_function(map.fn, places);
    if (adjoint.fn.body.results.empty()) return true;
    std::vector<Type> types;
    for (Scalar scalar : result_types(adjoint.fn)) types.push_back({scalar, Shape(type(picked.values).shape)});
    made.fn = std::move(adjoint.fn);
    const std::size_t first = emit(std::move(made), std::move(types)).index;
    for (std::size_t k = 0; k < map.args.size(); ++k)
        if (const auto& at = adjoint.params[k])
            contribute_picked(map.args[k], {picked.axis, picked.place, ValueId(first + *at)});
    for (std::size_t k = 0; k < map.captures.scalars.size(); ++k)
        if (const auto& at = adjoint.params[map.args.size() + k])
            contribute_sum(map.captures.scalars[k], ValueId(first + *at));
    return true;
}

bool Reverse::pull_picked_sum(const Fold& fold, const Picked& picked) {
    if (fold.captures != Captures() || !is_additive(fold.op, 1)) return false;
    const Shape shape = type(rename(fold.args[0])).shape;
    std::size_t axis = picked.axis;
    for (std::size_t folded : fold.axes) axis += folded <= axis ? 1 : 0;
    std::vector<std::size_t> new_axes;
    for (std::size_t folded : fold.axes) new_axes.push_back(folded > axis ? folded - 1 : folded);
    auto wide = [&](ValueId narrow) { return spread(narrow, new_axes, without(shape, axis)); };
    contribute_picked(fold.args[0], {axis, wide(picked.place), wide(picked.values)});
    const ValueId init = fold.inits[0];
    if (!wants(init)) return true;
    if (type(rename(init)).rank() == 0)
        contribute_sum(init, picked.values);
    else
        contribute_picked(init, picked);
    return true;
}

void Reverse::pull_picked_broadcast(const View& view, const Broadcast& broadcast, const Picked& picked) {
    if (!wants(view.arg)) return;
    const Shape shape = type(picked.values).shape;
    auto narrow_axis = [&](std::size_t axis) { return axis > picked.axis ? axis - 1 : axis; };
    if (std::find(broadcast.axes.begin(), broadcast.axes.end(), picked.axis) == broadcast.axes.end()) {
        std::vector<std::size_t> added;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            auto is_this = [&](std::size_t each) { return narrow_axis(each) == axis; };
            if (std::none_of(broadcast.axes.begin(), broadcast.axes.end(), is_this)) added.push_back(axis);
        }
        return contribute(view.arg, sum(picked.values, std::move(added)));
    }
    std::vector<ValueId> indices;
    for (std::size_t axis : broadcast.axes)
        indices.push_back(axis == picked.axis
                              ? picked.place
                              : map(unless_none(), {picked.place, position(shape, narrow_axis(axis))}, Scalar::i64));
    contribute_at(view.arg, std::move(indices), picked.values, 0);
}

}  // namespace sinter::ad
