// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow. A branch becomes a branch whose sides compute what they need again. A loop keeps its states before each
// iteration on tapes; its reverse sweep is a loop with as many iterations that takes the states from the tapes, the last
// first, computes the body again and goes back through it. The adjoints of what the body uses from outside are states of
// that loop, to which each iteration adds.
#include "ad/reverse/reverse.hpp"
#include "ad/variables.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ad {

using namespace ir;

bool Reverse::record(Binding& binding, Record& record) {
    bool varied = false;
    for (std::size_t k = 0; k < binding.types.size(); ++k) varied = varied || varied_(ValueId(old_level() + k));
    if (!varied) return true;
    at(binding.site);
    if (auto* loop = std::get_if<Loop>(&binding.op)) return record_loop(*loop, record, binding.types);
    if (auto* map = std::get_if<Map>(&binding.op)) return record_map(*map, record, renamed(binding.types));
    if (auto* sort = std::get_if<Sort>(&binding.op)) return record_sort(*sort, record, renamed(binding.types));
    if (auto* scatter = std::get_if<Scatter>(&binding.op)) return record_scatter(*scatter, record, renamed(binding.types));
    if (auto* custom = std::get_if<Custom>(&binding.op))
        if (custom->kind != Custom::Kind::checkpoint && !outside(binding.op).empty())
            refuse_captured(*custom, where(binding.site));
    if (auto* foreign = std::get_if<Foreign>(&binding.op); foreign && !foreign->rule)
        refuse_foreign(*foreign, where(binding.site));
    return true;
}

namespace {

/// True if the state is the same in every iteration.
bool stays(const Body& body, std::size_t param, std::size_t state, std::size_t level) {
    return body.results[state].index == level + param;
}

}  // namespace

// Tapes have an additional outermost axis, with one element per iteration.

ValueId Reverse::tape_update(ValueId tape, ValueId index, ValueId value) {
    const Type whole = type(tape), inner = type(value);
    return enable::store_outer_slice(sizes(), emitter(), tape, whole, index, value, inner);
}

ValueId Reverse::tape_element(ValueId tape, ValueId index, const Type& element) {
    return enable::outer_slice(sizes(), emitter(), tape, index, element);
}

bool Reverse::record_loop(Loop& loop, Record& record, const std::vector<Type>& old_types) {
    if (!loop.changing.empty())
        refuse("derivative: a loop whose states change their extents, or a cond whose sides return different ones");
    const std::vector<Type> types = renamed(old_types);
    const SiteId place = site();
    record.count = loop.count ? rename(*loop.count) : count_iterations(loop, types);
    const SizeId count = sizes().maximum(sizes().value(record.count), sizes().constant(0));
    Body& body = loop.bodies.back();
    const std::size_t level = old_level(), states = types.size(), index = loop.indices();
    Loop made{record.count, renamed(loop.inits), {}, {}};
    std::vector<std::size_t> taped;
    std::vector<Type> all = types;
    for (std::size_t k = 0; k < states; ++k) {
        if (stays(body, index + k, k, level)) continue;
        taped.push_back(k);
        Type tape = types[k];
        tape.shape.insert(tape.shape.begin(), count);
        made.inits.push_back(broadcast(zero_of(tape.scalar), {}, tape.shape));
        all.push_back(std::move(tape));
    }
    Nest nest;
    enter(nest);
    const ValueId iteration = add_parameter(nest, {Scalar::i64, {}});
    std::vector<ValueId> params, tapes;
    for (const Type& type : types) params.push_back(add_parameter(nest, type));
    for (std::size_t k = states; k < all.size(); ++k) tapes.push_back(add_parameter(nest, all[k]));
    if (index > 0) define({iteration});
    define(params);
    std::vector<ValueId> results = splice(body);
    at(place);
    for (std::size_t k = 0; k < taped.size(); ++k) results.push_back(tape_update(tapes[k], iteration, params[taped[k]]));
    made.bodies.push_back(leave(nest, std::move(results)));
    const ValueId first = emit(std::move(made), std::move(all));
    record.tapes.resize(states);
    for (std::size_t k = 0; k < taped.size(); ++k) record.tapes[taped[k]] = ValueId(first.index + states + k);
    define(results_from(first, states));
    return false;
}

void Reverse::pull_loop(const Loop& loop, const Done& done) {
    const Body& body = loop.bodies.back();
    const std::size_t level = old_level(), index = loop.indices(), states = loop.inits.size();
    const SiteId place = site();
    const Flags flags = varied_.results(done.binding, level);
    Flags infinite(index);
    for (bool each : infinite_.results(done.binding, level)) infinite.push_back(each);
    const std::vector<ValueId> outer = outside(done.binding.op);
    std::vector<std::size_t> wanted;
    std::vector<Type> types;
    Loop made{done.record.count, {}, {}, {}};
    for (std::size_t k = 0; k < states; ++k) {
        const Type state = type(done.results[k]);
        if (!flags[k] || !detail::is_float(state.scalar)) continue;
        wanted.push_back(k);
        types.push_back(state);
        made.inits.push_back(or_zeros(done.adjoints[k], state));
    }
    for (ValueId id : outer) {
        types.push_back(type(rename(id)));
        made.inits.push_back(or_zeros(adjoint(id), types.back()));
    }
    std::vector<Adjoint> saved = adjoints_;
    Nest nest;
    enter(nest);
    const ValueId step = add_parameter(nest, {Scalar::i64, {}});
    std::vector<ValueId> params;
    for (const Type& type : types) {
        params.push_back(add_parameter(nest, type));
        masked_.set(params.back(), true);
    }
    const ValueId last = map(index_op(Op::sub), {done.record.count, constant_index(1)}, Scalar::i64);
    const ValueId iteration = map(index_op(Op::sub), {last, step}, Scalar::i64);
    std::fill(adjoints_.begin(), adjoints_.end(), Adjoint{});
    for (std::size_t k = 0; k < outer.size(); ++k) adjoint(outer[k]) = params[wanted.size() + k];
    Flags param_flags(index, false);
    param_flags.insert(param_flags.end(), flags.begin(), flags.end());
    std::vector<ValueId> before;
    for (std::size_t k = 0; k < states; ++k)
        before.push_back(done.record.tapes[k].valid() ? tape_element(done.record.tapes[k], iteration, type(done.results[k]))
                                                      : rename(loop.inits[k]));
    if (index > 0) define({iteration});
    define(before);
    varied_.set(level, param_flags);
    infinite_.set(level, infinite);
    adjoints_.resize(old_level());
    std::vector<Derived> cotangents(states);
    for (std::size_t k = 0; k < wanted.size(); ++k) cotangents[wanted[k]] = params[k];
    ++loops_;
    traverse(body, cotangents);
    --loops_;
    at(place);
    std::vector<ValueId> results;
    for (std::size_t k = 0; k < wanted.size(); ++k)
        results.push_back(or_zeros(adjoint(ValueId(level + index + wanted[k])), types[k]));
    for (ValueId id : outer) results.push_back(*adjoint(id));
    made.bodies.push_back(leave(nest, std::move(results)));
    varied_.set(level, {});
    infinite_.set(level, {});
    adjoints_ = std::move(saved);
    if (types.empty()) return;
    const ValueId first = emit(std::move(made), std::move(types));
    for (std::size_t k = 0; k < outer.size(); ++k) adjoint(outer[k]) = ValueId(first.index + wanted.size() + k);
    for (std::size_t k = 0; k < wanted.size(); ++k) contribute(loop.inits[wanted[k]], ValueId(first.index + k));
}

void Reverse::pull_cond(const Cond& cond, const Done& done) {
    const std::vector<ValueId> outer = outside(done.binding.op);
    if (outer.empty()) return;
    const SiteId place = site();
    const std::size_t level = old_level();
    Cond made{rename(cond.condition), {}};
    std::vector<Type> types;
    for (ValueId id : outer) types.push_back(type(rename(id)));
    const std::vector<Adjoint> saved = adjoints_;
    for (const Body& side : cond.bodies) {
        Nest nest;
        enter(nest);
        traverse(side, done.adjoints);
        at(place);
        std::vector<ValueId> results;
        for (std::size_t k = 0; k < outer.size(); ++k) results.push_back(or_zeros(adjoint(outer[k]), types[k]));
        made.bodies.push_back(leave(nest, std::move(results)));
        adjoints_ = saved;
        varied_.set(level, {});
        infinite_.set(level, {});
    }
    const ValueId first = emit(std::move(made), std::move(types));
    for (std::size_t k = 0; k < outer.size(); ++k) adjoint(outer[k]) = ValueId(first.index + k);
}

}  // namespace sinter::ad
