// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode, with one rule per operation. Operators of folds, scans and scatters become operators on values and tangents,
// which are associative and commutative if the original operators are: (a, a') op (b, b') = (a op b, the derivative of op in
// direction (a', b')).
#include "ad/forward.hpp"
#include "ad/owners.hpp"
#include "ad/reverse/additive.hpp"
#include "ad/variables.hpp"
#include "ir/derivative/dual_function.hpp"
#include "ir/derivative/terms.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

std::vector<std::size_t> set_positions(const std::vector<bool>& flags) {
    std::vector<std::size_t> positions;
    for (std::size_t k = 0; k < flags.size(); ++k)
        if (flags[k]) positions.push_back(k);
    return positions;
}

template <class T>
void join(std::vector<T>& to, const std::vector<T>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

/// `types`, followed by those at these positions once more.
std::vector<Type> with_tangents(std::vector<Type> types, const std::vector<std::size_t>& positions, std::size_t from = 0) {
    for (std::size_t k : positions) types.push_back(Type(types[from + k]));
    return types;
}

}  // namespace

void Forward::push_map(const Map& map, std::vector<Type> types) {
    Map made{{}, renamed(map.args), {renamed(map.captures.scalars), renamed(map.captures.arrays)}, map.indexed};
    DualPlaces places;
    std::vector<std::size_t> varied;
    auto place = [&](const std::vector<ValueId>& old, std::vector<ValueId>& operands) {
        for (std::size_t k = 0; k < old.size(); ++k) places.primal.push_back(places.add(type(operands[k]).scalar));
        for (ValueId id : old) {
            const Derived derived = tangent(id);
            places.tangents.push_back(derived ? Term(places.add(type(*derived).scalar)) : std::nullopt);
            if (derived) operands.push_back(*derived);
        }
    };
    const std::size_t indices = map.fn.body.params.size() - map.args.size() - map.captures.scalars.size();
    for (std::size_t k = 0; k < indices; ++k)
        places.primal.push_back(places.add(Scalar::i64)), places.tangents.push_back({});
    place(map.args, made.args);
    place(map.captures.scalars, made.captures.scalars);
    places.arrays = map.fn.arrays;
    for (std::size_t slot = 0; slot < map.captures.arrays.size(); ++slot) {
        const Derived derived = tangent(map.captures.arrays[slot]);
        places.slots.push_back(derived ? std::optional(places.arrays.size()) : std::nullopt);
        if (!derived) continue;
        places.arrays.push_back(map.fn.arrays[slot]);
        made.captures.arrays.push_back(*derived);
    }
    Dual dual = dual_function(map.fn, places);
    made.fn = std::move(dual.fn);
    const auto positions = set_positions(dual.varied);
    const std::size_t count = types.size();
    types = with_tangents(std::move(types), positions);
    define_results(emit(std::move(made), std::move(types)), count, positions);
}

/// The operator on values and tangents, and what it captures.
struct Forward::Operator {
    Fn fn;
    Captures captures;
    std::vector<std::size_t> floats;  ///< results with a tangent, in order
};

/// op: states, elements, captured scalars -> states. In the dual operator all floating-point states and elements have
/// tangents.
Forward::Operator Forward::dual_operator(const Fn& op, const Captures& captures, std::size_t states) {
    DualPlaces places;
    places.arrays = op.arrays;
    places.slots.resize(op.arrays.size());
    const std::size_t scalars = captures.scalars.size(), elements = op.body.params.size() - states - scalars;
    auto place = [&](std::size_t first, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) places.primal.push_back(places.add(op.body.params[first + k]));
        for (std::size_t k = 0; k < count; ++k) {
            const Scalar type = op.body.params[first + k];
            places.tangents.push_back(detail::is_float(type) ? Term(places.add(type)) : std::nullopt);
        }
    };
    place(0, states);
    place(states, elements);
    Operator made{{}, {renamed(captures.scalars), renamed(captures.arrays)}, {}};
    for (std::size_t k = 0; k < scalars; ++k) places.primal.push_back(places.add(op.body.params[states + elements + k]));
    for (ValueId id : captures.scalars) {
        const Derived derived = tangent(id);
        places.tangents.push_back(derived ? Term(places.add(type(*derived).scalar)) : std::nullopt);
        if (derived) made.captures.scalars.push_back(*derived);
    }
    Dual dual = dual_function(op, places, true);
    made.fn = std::move(dual.fn);
    made.floats = set_positions(dual.varied);
    return made;
}

void Forward::push_fold(const Fold& fold, std::vector<Type> types) {
    const std::size_t count = types.size();
    if (is_additive(fold.op, count) && fold.captures == Captures()) {
        const ValueId first =
            emit(Fold{fold.op, renamed(fold.inits), renamed(fold.args), {}, fold.axes, fold.commutative}, types);
        const ValueId tangents =
            emit(Fold{fold.op, all_tangents(fold.inits), all_tangents(fold.args), {}, fold.axes, fold.commutative}, types);
        const auto ids = results_from(tangents, count);
        return define_results(results_from(first, count), {ids.begin(), ids.end()});
    }
    Operator dual = dual_operator(fold.op, fold.captures, count);
    Fold made{std::move(dual.fn),       renamed(fold.inits), renamed(fold.args),
              std::move(dual.captures), fold.axes,           fold.commutative};
    join(made.inits, all_tangents(fold.inits));
    join(made.args, all_tangents(fold.args));
    define_results(emit(std::move(made), with_tangents(std::move(types), dual.floats)), count, dual.floats);
}

void Forward::push_scan(const Scan& scan, std::vector<Type> types) {
    const std::size_t count = scan.states();
    Operator dual = dual_operator(scan.op, scan.captures, count);
    Scan made = scan;
    made.op = std::move(dual.fn);
    made.captures = std::move(dual.captures);
    made.inits = renamed(scan.inits), made.args = renamed(scan.args);
    join(made.inits, all_tangents(scan.inits));
    join(made.args, all_tangents(scan.args));
    std::vector<Type> prefixes(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(count)),
        totals(types.begin() + static_cast<std::ptrdiff_t>(count), types.end());
    std::vector<Type> all = with_tangents(std::move(prefixes), dual.floats);
    const std::size_t wide = all.size();
    if (scan.totals) join(all, with_tangents(std::move(totals), dual.floats));
    const ValueId first = emit(std::move(made), std::move(all));
    std::vector<ValueId> primals;
    std::vector<Derived> tangents(types.size());
    for (std::size_t part = 0; part < (scan.totals ? 2u : 1u); ++part) {
        join(primals, results_from(ValueId(first.index + part * wide), count));
        for (std::size_t k = 0; k < dual.floats.size(); ++k)
            tangents[part * count + dual.floats[k]] = ValueId(first.index + part * wide + count + k);
    }
    define_results(std::move(primals), std::move(tangents));
}

void Forward::push_view(const View& view, Type type) {
    View primal = view;
    ArrayOp renamed_op = primal;
    rename(renamed_op);
    primal = std::get<View>(renamed_op);
    const ValueId value = emit(primal, {type});
    View derived = primal;
    derived.arg = or_zeros(tangent(view.arg), this->type(primal.arg));
    if (view.fill) derived.fill = or_zeros(tangent(*view.fill), this->type(*primal.fill));
    const ValueId derivative = emit(std::move(derived), {std::move(type)});
    define_results({value}, {derivative});
}

void Forward::push_gather(const Gather& gather, std::vector<Type> types) {
    std::vector<std::size_t> varied;
    Gather made{renamed(gather.indices), renamed(gather.sources)};
    join(made.sources, some_tangents(gather.sources, varied));
    const std::size_t count = types.size();
    define_results(emit(std::move(made), with_tangents(std::move(types), varied)), count, varied);
}

void Forward::push_compact(const Compact& compact, std::vector<Type> types) {
    std::vector<std::size_t> varied;
    Compact made{rename(compact.mask), renamed(compact.args)};
    join(made.args, some_tangents(compact.args, varied));
    const std::size_t count = types.size();
    types = with_tangents(std::move(types), varied, 1);
    for (std::size_t& k : varied) ++k;
    define_results(emit(std::move(made), std::move(types)), count, varied);
}

void Forward::push_scatter(const Scatter& scatter, std::vector<Type> types) {
    if (!scatter.op && scatter.drops) return push_last(scatter, std::move(types));
    const std::size_t count = types.size();
    Scatter made = scatter;
    made.dests = renamed(scatter.dests), made.indices = renamed(scatter.indices), made.values = renamed(scatter.values);
    made.captures = {renamed(scatter.captures.scalars), renamed(scatter.captures.arrays)};
    if (scatter.op && is_additive(*scatter.op, count) && scatter.captures == Captures()) {
        Scatter derived = made;
        derived.dests = all_tangents(scatter.dests), derived.values = all_tangents(scatter.values);
        const ValueId first = emit(std::move(made), types), tangents = emit(std::move(derived), types);
        const auto ids = results_from(tangents, count);
        return define_results(results_from(first, count), {ids.begin(), ids.end()});
    }
    if (const auto op = scatter.op ? as_single_op(*scatter.op) : std::nullopt; op == Op::minimum || op == Op::maximum)
        return push_chosen(scatter, std::move(types[0]));
    std::vector<std::size_t> floats;
    for (std::size_t k = 0; k < count; ++k)
        if (detail::is_float(types[k].scalar)) floats.push_back(k);
    if (scatter.op) {
        Operator dual = dual_operator(*scatter.op, scatter.captures, count);
        made.op = std::move(dual.fn), made.captures = std::move(dual.captures);
    }
    join(made.dests, all_tangents(scatter.dests));
    join(made.values, all_tangents(scatter.values));
    define_results(emit(std::move(made), with_tangents(std::move(types), floats)), count, floats);
}

namespace {

/// {owner, tangent of the destination -> it, or element `owner` of array 0, or 0 where there is no owner}
Fn tangent_of_chosen(Scalar scalar) {
    BlockBuilder to;
    to.open({Scalar::i64, scalar});
    const Local kept = to.emit(Op::equal, {Local(0), to.constant_index(INT64_MAX)});
    const Local none = to.emit(Op::less, {Local(0), to.constant_index(0)});
    Inst cond{Op::cond, {scalar}, 0, {to.emit(Op::bit_or, {kept, none})}, {}};
    to.open({});
    const Local other = to.emit(Op::select, {kept, Local(1), Terms(to).zero(scalar)});
    cond.blocks.push_back(to.close({other}));
    to.open({});
    const Local element = to.emit(Inst{Op::read, {scalar}, 0, {Local(0)}, {}});
    cond.blocks.push_back(to.close({element}));
    const Local chosen = to.emit(std::move(cond));
    return {{{scalar, 1}}, to.close({chosen})};
}

}  // namespace

/// Of several values that go to one place, the last one, as in reverse mode, and its tangent. Only updates are known to have
/// distinct places.
void Forward::push_last(const Scatter& scatter, std::vector<Type> types) {
    const std::vector<ValueId> indices = renamed(scatter.indices), dests = renamed(scatter.dests),
                               values = renamed(scatter.values);
    const ValueId number = numbers(indices[0]);
    const Shape shape = types[0].shape;
    const ValueId owner =
        emit(Scatter{greatest(), {filled_index(shape, -1)}, indices, {number}, {}, scatter.drops}, {{Scalar::i64, shape}});
    SizeId all = sizes().constant(1);
    for (SizeId extent : Shape(type(number).shape)) all = sizes().mul(all, extent);
    auto take = [&](ValueId dest, ValueId from) {
        const Type made = type(dest);
        return emit(Map{element_of_owner(made.scalar), {owner, dest}, {{}, {reshape(from, {all})}}, false}, {made});
    };
    std::vector<ValueId> results;
    std::vector<Derived> tangents(types.size());
    for (std::size_t k = 0; k < types.size(); ++k) {
        results.push_back(take(dests[k], values[k]));
        const Derived of_dest = tangent(scatter.dests[k]), of_value = tangent(scatter.values[k]);
        if (of_dest || of_value) tangents[k] = take(or_zeros(of_dest, type(dests[k])), or_zeros(of_value, type(values[k])));
    }
    define_results(std::move(results), std::move(tangents));
}

/// For min and max: the tangent is that of the value which is the result, as in reverse mode. Nothing that is emitted is
/// without a derivative of its own.
void Forward::push_chosen(const Scatter& scatter, Type type) {
    Scatter made = scatter;
    made.dests = renamed(scatter.dests), made.indices = renamed(scatter.indices), made.values = renamed(scatter.values);
    const ValueId result = emit(made, {type});
    const ValueId owner = chosen_values(made, result).owner;
    SizeId all = sizes().constant(1);
    for (SizeId extent : Shape(this->type(made.values[0]).shape)) all = sizes().mul(all, extent);
    const ValueId values = reshape(all_tangents(scatter.values)[0], {all}), dest = all_tangents(scatter.dests)[0];
    define_results({result}, {emit(Map{tangent_of_chosen(type.scalar), {owner, dest}, {{}, {values}}, false}, {type})});
}

void Forward::push_sort(const Sort& sort, std::vector<Type> types) {
    std::vector<std::size_t> varied;
    Sort made{renamed(sort.args), sort.keys, sort.descending};
    join(made.args, some_tangents(sort.args, varied));
    const std::size_t count = types.size();
    define_results(emit(std::move(made), with_tangents(std::move(types), varied)), count, varied);
}

void Forward::push_force(const Force& force, std::vector<Type> types) {
    std::vector<std::size_t> varied;
    Force made{renamed(force.args), force.again};
    join(made.args, some_tangents(force.args, varied));
    const std::size_t count = types.size();
    define_results(emit(std::move(made), with_tangents(std::move(types), varied)), count, varied);
}

// Control flow

/// The tangent of a parameter whose extents change has extents of its own; they are always the parameter's.
Body Forward::dual_body(Body& body, const DualParams& dual, bool with_tangents) {
    const std::size_t level = old_level(), first = dual.first_state;
    Nest nest;
    enter(nest);
    std::vector<ValueId> extents;
    for (std::size_t k = 0; k < body.params.size(); ++k) {
        for (std::size_t axis = 0; k == first && axis < dual.changing.size(); ++axis)
            extents.push_back(add_parameter(nest, {Scalar::i64, {}}));
        define({add_parameter(nest, rename(body.params[k]))});
    }
    tangents_.resize(old_level());
    std::vector<ValueId> params;
    for (std::size_t k = 0; k < dual.states.size(); ++k) {
        Type tangent = type(rename(ValueId(level + first + dual.states[k])));
        for (std::size_t axis = 0; axis < dual.changing.size(); ++axis)
            if (dual.changing[axis].state == k) tangent.shape[dual.changing[axis].axis] = sizes().value(extents[axis]);
        params.push_back(add_parameter(nest, std::move(tangent)));
    }
    for (std::size_t k = 0; k < dual.states.size(); ++k) {
        const ValueId state(level + first + dual.states[k]);
        tangents_[state.index] = reshape(params[k], Shape(type(rename(state)).shape));
    }
    write(body.bindings);
    tangents_.resize(old_level());
    std::vector<ValueId> results = renamed(body.results);
    if (with_tangents) join(results, all_tangents(body.results));
    write(body.guards);
    Body made = leave(nest, std::move(results));
    tangents_.resize(level);
    return made;
}

void Forward::push_cond(Cond& cond, std::vector<Type> types) {
    const std::vector<std::size_t> floats = floating(types);
    const SiteId place = site();
    Cond made{rename(cond.condition), {}};
    for (Body& body : cond.bodies) made.bodies.push_back(dual_body(body, {}, true));
    at(place);
    const std::size_t count = types.size();
    define_results(emit(std::move(made), with_tangents(std::move(types), floats)), count, floats);
}

void Forward::push_loop(Loop& loop, std::vector<Type> types) {
    const SiteId place = site();
    const std::size_t extents = loop.changing.size(), states = loop.inits.size();
    DualParams dual{
        loop.indices() + extents, floating({types.begin() + static_cast<std::ptrdiff_t>(extents), types.end()}), {}};
    const Derived count = loop.count ? Derived(rename(*loop.count)) : std::nullopt;
    Loop made{count, renamed(loop.inits), {}, loop.changing, loop.segment};
    join(made.inits, all_tangents(loop.inits));
    for (std::size_t k = 0; k < dual.states.size(); ++k)
        for (auto [state, axis] : loop.changing)
            if (state == dual.states[k]) {
                dual.changing.push_back({k, axis});
                made.changing.push_back({states + k, axis});
            }
    for (Body& body : loop.bodies) {
        const bool is_condition = !loop.count && &body == &loop.bodies.front();
        made.bodies.push_back(dual_body(body, dual, !is_condition));
    }
    at(place);
    std::vector<Type> tangents;
    for (std::size_t k : dual.states) tangents.push_back(types[extents + k]);
    std::size_t next = level() + extents;
    for (auto [tangent, axis] : dual.changing) tangents[tangent].shape[axis] = sizes().value(ValueId(next++));
    types.insert(types.begin() + static_cast<std::ptrdiff_t>(extents), dual.changing.size(), {Scalar::i64, {}});
    join(types, tangents);
    const ValueId first = emit(std::move(made), std::move(types));
    std::vector<ValueId> primals = results_from(first, extents);
    join(primals, results_from(ValueId(first.index + extents + dual.changing.size()), states));
    std::vector<Derived> derived(primals.size());
    for (std::size_t k = 0; k < dual.states.size(); ++k) {
        const std::size_t primal = extents + dual.states[k];
        const ValueId tangent(first.index + extents + dual.changing.size() + states + k);
        derived[primal] = reshape(tangent, Shape(type(primals[primal]).shape));
    }
    define_results(std::move(primals), std::move(derived));
}

}  // namespace sinter::ad
