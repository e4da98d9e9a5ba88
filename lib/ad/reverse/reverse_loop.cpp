// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops. A loop keeps its states before each iteration on tapes; its reverse sweep is a loop with as many iterations that
// takes the states from the tapes, the last first, computes the body again and goes back through it. The adjoints of what
// the body uses from outside are states of that loop, to which each iteration adds.
//
// Where extents of states change, these extents have tapes, too. The loop is then executed once more, before, to find how
// many elements its states have together.
#include "ad/reverse/reverse.hpp"
#include "ir/builder.hpp"
#include "ir/free_variables.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ad {

using namespace ir;

namespace {

Type index_type() { return {Scalar::i64, {}}; }

SizeId product_of(SizeTable& sizes, const Shape& shape) {
    SizeId product = sizes.constant(1);
    for (SizeId extent : shape) product = sizes.mul(product, extent);
    return product;
}

/// Whether the body uses variable `level` + k, for k < count.
Flags used_by(const SizeTable& sizes, const Body& body, std::size_t level, std::size_t count) {
    std::vector<ValueId> used = body.results;
    std::size_t next = level + body.params.size();
    for (const Binding& binding : body.bindings) {
        const std::vector<ValueId> free = free_variables(sizes, binding, next);
        used.insert(used.end(), free.begin(), free.end());
        next += binding.types.size();
    }
    for (const Guard& guard : body.guards) values_of(sizes, guard, used);
    Flags flags(count);
    for (ValueId id : used)
        if (id.index >= level && id.index < level + count) flags[id.index - level] = true;
    return flags;
}

/// Extents along these axes become variables from `first` on.
void set_extents(SizeTable& sizes, std::vector<Type>& states, const std::vector<StateAxis>& axes, std::size_t first) {
    for (auto [state, axis] : axes) states[state].shape[axis] = sizes.value(ValueId(first++));
}

}  // namespace

ValueId Reverse::tape_update(ValueId tape, ValueId index, ValueId value) {
    const Type whole = type(tape), inner = type(value);
    return enable::store_outer_slice(sizes(), emitter(), tape, whole, index, value, inner);
}

ValueId Reverse::tape_element(ValueId tape, ValueId index, const Type& element) {
    return enable::outer_slice(sizes(), emitter(), tape, index, element);
}

ValueId Reverse::flat_update(ValueId tape, ValueId offset, ValueId value) {
    const Type whole = type(tape);
    const ValueId flat = reshape(value, {product_of(sizes(), Shape(type(value).shape))});
    const ValueId places = emit(Map{index_op(Op::add), {}, {{offset}, {}}, true}, {{Scalar::i64, Shape(type(flat).shape)}});
    return emit(Scatter{{}, {tape}, {places}, {flat}, {}, {}}, {whole});
}

ValueId Reverse::flat_element(ValueId tape, ValueId offset, const Type& element) {
    const Type flat{element.scalar, {product_of(sizes(), element.shape)}};
    return reshape(emit(View{tape, Slice{{sizes().value(offset)}, {1}}, {}}, {flat}), element.shape);
}

/// Those that stay as they are in all iterations are there without a tape. So is, if its extents change, one of which the
/// body uses nothing, as in the sides of a branch.
Reverse::Tapes Reverse::tapes_of(const Loop& loop) {
    const Body& body = loop.bodies.back();
    const std::size_t first = old_level() + loop.indices() + loop.changing.size(), states = loop.inits.size();
    const Flags used =
        loop.changing.empty() ? Flags(states, true) : used_by(sizes(), body, old_level(), first - old_level() + states);
    Tapes tapes;
    tapes.updates = updates_of(loop);
    for (std::size_t k = 0; k < states; ++k) {
        if (!tapes.updates[k].empty()) continue;
        const bool changes = has_changing_extent(loop, k);
        if (changes ? !used[first - old_level() + k] : body.results[k].index == first + k) continue;
        tapes.states.push_back(k);
        if (changes) tapes.flat.push_back(k);
    }
    return tapes;
}

std::vector<Type> Reverse::tape_types(const Loop& loop, const Tapes& tapes, const std::vector<Type>& results,
                                      const Tally& counted) {
    const SizeId count = sizes().maximum(sizes().value(counted.iterations), sizes().constant(0));
    std::vector<Type> types;
    for (std::size_t k = 0, next = 0; k < tapes.states.size(); ++k) {
        Type tape = results[loop.changing.size() + tapes.states[k]];
        if (has_changing_extent(loop, tapes.states[k]))
            tape.shape = {sizes().value(counted.elements[next++])};
        else
            tape.shape.insert(tape.shape.begin(), count);
        types.push_back(std::move(tape));
    }
    types.resize(tapes.offset_tapes(), index_type());
    types.resize(tapes.extent_tapes() + loop.changing.size(), {Scalar::i64, {count}});
    append_update_tapes(loop, tapes, counted.iterations, types);
    return types;
}

std::vector<ValueId> Reverse::taped(const Loop& loop, const Tapes& tapes, const std::vector<ValueId>& states,
                                    const std::vector<ValueId>& before, ValueId iteration) {
    const std::size_t extents = loop.changing.size(), offsets = tapes.offsets();
    std::vector<ValueId> after;
    for (std::size_t k = 0, next = 0; k < offsets; ++k) {
        const std::size_t state = tapes.states[k];
        after.push_back(has_changing_extent(loop, state)
                            ? flat_update(before[k], before[offsets + next++], states[extents + state])
                            : tape_update(before[k], iteration, states[extents + state]));
    }
    for (std::size_t k = 0; k < tapes.flat.size(); ++k) {
        const ValueId elements = elements_of(states[extents + tapes.flat[k]]);
        after.push_back(map(index_op(Op::add), {before[offsets + k], elements}, Scalar::i64));
    }
    for (std::size_t k = 0; k < tapes.flat.size(); ++k)
        after.push_back(tape_update(before[tapes.offset_tapes() + k], iteration, before[offsets + k]));
    for (std::size_t k = 0; k < extents; ++k)
        after.push_back(tape_update(before[tapes.extent_tapes() + k], iteration, states[k]));
    return after;
}

bool Reverse::record_loop(Loop& loop, Record& record, std::vector<Type> types) {
    const SiteId place = site();
    const Tapes tapes = tapes_of(loop);
    const Tally counted = loop.count && tapes.flat.empty() ? Tally{rename(*loop.count), {}} : tally(loop, types, tapes.flat);
    const std::size_t extents = loop.changing.size(), results = types.size();
    Body& body = loop.bodies.back();
    Loop made{counted.iterations, renamed(loop.inits), {}, loop.changing, loop.segment};
    const std::vector<Type> added = tape_types(loop, tapes, types, counted);
    for (const Type& tape : added) made.inits.push_back(zeros_of(tape));
    Nest nest;
    enter(nest);
    const ValueId iteration = add_parameter(nest, index_type());
    if (loop.indices() > 0) define({iteration});
    std::vector<ValueId> states, before;
    for (std::size_t k = loop.indices(); k < body.params.size(); ++k) {
        states.push_back(add_parameter(nest, rename(body.params[k])));
        define({states.back()});
    }
    for (const Type& tape : added) before.push_back(add_parameter(nest, tape));
    auto [after, overwritten] = splice_updates(body, tapes.updates);
    at(place);
    std::vector<ValueId> kept = taped(loop, tapes, states, before, iteration);
    for (auto& of_state : overwritten)
        for (Overwritten& each : of_state) {
            auto keep = [&](ValueId value) { kept.push_back(tape_update(before[kept.size()], iteration, value)); };
            keep(each.part);
            for (ValueId index : each.indices) keep(index);
        }
    after.insert(after.end(), kept.begin(), kept.end());
    made.bodies.push_back(leave(nest, std::move(after)));
    types.insert(types.end(), added.begin(), added.end());
    const ValueId first = emit(std::move(made), std::move(types));
    auto tape = [&](std::size_t k) { return ValueId(first.index + results + k); };
    record.count = counted.iterations;
    record.tapes.resize(loop.inits.size());
    record.offsets.resize(loop.inits.size());
    for (std::size_t k = 0; k < tapes.states.size(); ++k) record.tapes[tapes.states[k]] = tape(k);
    for (std::size_t k = 0; k < tapes.flat.size(); ++k) record.offsets[tapes.flat[k]] = tape(tapes.offset_tapes() + k);
    record.extents = results_from(tape(tapes.extent_tapes()), extents);
    std::size_t next = tapes.extent_tapes() + extents;
    for (auto& of_state : overwritten)
        for (Overwritten& each : of_state) {
            each.part = tape(next++);
            for (ValueId& index : each.indices) index = tape(next++);
        }
    record.overwritten = std::move(overwritten);
    record.updates = tapes.updates;
    for (const std::vector<Update>& updates : tapes.updates)
        record.redone.push_back(std::any_of(updates.begin(), updates.end(), [](const Update& each) { return each.read; }));
    define(results_from(first, results));
    return false;
}

void Reverse::define_states(const Loop& loop, const Record& record, ValueId iteration, const std::vector<ValueId>& undone) {
    const std::size_t index = loop.indices(), extents = loop.changing.size();
    const std::vector<Type>& params = loop.bodies.back().params;
    if (index > 0) define({iteration});
    for (ValueId tape : record.extents) define({tape_element(tape, iteration, index_type())});
    std::vector<ValueId> before;
    for (std::size_t k = 0; k < loop.inits.size(); ++k) {
        const Type state = rename(params[index + extents + k]);
        if (!record.overwritten[k].empty())
            before.push_back(undone[k]);
        else if (!record.tapes[k].valid())
            before.push_back(rename(loop.inits[k]));
        else if (record.offsets[k].valid())
            before.push_back(flat_element(record.tapes[k], tape_element(record.offsets[k], iteration, index_type()), state));
        else
            before.push_back(tape_element(record.tapes[k], iteration, state));
    }
    define(before);
}

void Reverse::pull_loop(const Loop& loop, const Done& done) {
    const Body& body = loop.bodies.back();
    const std::size_t level = old_level(), index = loop.indices(), extents = loop.changing.size();
    const std::size_t states = loop.inits.size();
    const SiteId place = site();
    const Flags flags = varied_.results(done.binding, level);
    Flags infinite(index);
    for (bool each : infinite_.results(done.binding, level)) infinite.push_back(each);
    const std::vector<ValueId> outer = outside(done.binding.op);
    std::vector<std::size_t> wanted;
    std::vector<Type> types;
    Loop made{done.record.count, {}, {}, {}, loop.segment};
    for (std::size_t k = 0; k < states; ++k) {
        const Type state = type(done.results[extents + k]);
        if (!flags[extents + k] || !detail::is_float(state.scalar)) continue;
        for (auto [of, axis] : loop.changing)
            if (of == k) made.changing.push_back({wanted.size(), axis});
        wanted.push_back(k);
        types.push_back(state);
        made.inits.push_back(or_zeros(done.adjoints[extents + k], state));
    }
    for (ValueId id : outer) {
        types.push_back(type(rename(id)));
        made.inits.push_back(or_zeros(adjoint(id), types.back()));
    }
    const std::size_t adjoints = types.size();
    if (adjoints == 0) return;
    for (std::size_t k = 0; k < states; ++k)
        if (!done.record.overwritten[k].empty()) {
            made.inits.push_back(done.results[extents + k]);
            types.push_back(type(made.inits.back()));
        }
    std::vector<Adjoint> saved = adjoints_;
    Nest nest;
    enter(nest);
    const ValueId step = add_parameter(nest, index_type());
    set_extents(sizes(), types, made.changing, this->level());
    for (std::size_t k = 0; k < made.changing.size(); ++k) add_parameter(nest, index_type());
    std::vector<ValueId> params;
    for (const Type& type : types) {
        params.push_back(add_parameter(nest, type));
        if (params.size() <= adjoints) masked_.set(params.back(), true);
    }
    const ValueId last = map(index_op(Op::sub), {done.record.count, constant_index(1)}, Scalar::i64);
    const ValueId iteration = map(index_op(Op::sub), {last, step}, Scalar::i64);
    std::fill(adjoints_.begin(), adjoints_.end(), Adjoint{});
    for (std::size_t k = 0; k < outer.size(); ++k) adjoint(outer[k]) = params[wanted.size() + k];
    Flags param_flags(index, false);
    param_flags.insert(param_flags.end(), flags.begin(), flags.end());
    const auto replaced = this->replaced(loop, done.record, iteration);
    std::vector<ValueId> before_updates(states);
    for (std::size_t k = 0, next = adjoints; k < states; ++k)
        if (!replaced[k].empty()) before_updates[k] = undone(params[next++], replaced[k]);
    define_states(loop, done.record, iteration, before_updates);
    varied_.set(level, param_flags);
    infinite_.set(level, infinite);
    adjoints_.resize(old_level());
    std::vector<Type> before;
    for (std::size_t k : wanted) before.push_back(rename(body.params[index + extents + k]));
    std::vector<Derived> cotangents(states);
    for (std::size_t k = 0; k < wanted.size(); ++k) cotangents[wanted[k]] = params[k];
    ++loops_;
    const std::vector<ValueId> again = traverse(body, cotangents);
    --loops_;
    at(place);
    std::vector<ValueId> results;
    for (std::size_t k = 0; k < wanted.size(); ++k)
        results.push_back(or_zeros(adjoint(ValueId(level + index + extents + wanted[k])), before[k]));
    for (ValueId id : outer) results.push_back(*adjoint(id));
    for (std::size_t k = 0; k < states; ++k)
        if (!replaced[k].empty())
            results.push_back(done.record.redone[k] ? undone(again[k], replaced[k]) : before_updates[k]);
    const bool all_kept = std::all_of(wanted.begin(), wanted.end(), [&](std::size_t k) {
        return done.record.tapes[k].valid() || !done.record.overwritten[k].empty();
    });
    for (std::size_t k = 0; all_kept && k < outer.size(); ++k) made.sums.push_back(wanted.size() + k);
    const std::size_t changing = made.changing.size();
    const std::vector<StateAxis> axes = made.changing;
    made.bodies.push_back(leave(nest, std::move(results)));
    varied_.set(level, {});
    infinite_.set(level, {});
    adjoints_ = std::move(saved);
    set_extents(sizes(), types, axes, this->level());
    types.insert(types.begin(), changing, index_type());
    const std::size_t first = emit(std::move(made), std::move(types)).index + changing;
    for (std::size_t k = 0; k < outer.size(); ++k) adjoint(outer[k]) = ValueId(first + wanted.size() + k);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const ValueId init = loop.inits[wanted[k]], adjoint(first + k);
        contribute(init, enable::with_type(emitter(), adjoint, type(adjoint), type(rename(init))));
    }
}

}  // namespace sinter::ad
