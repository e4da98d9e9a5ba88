// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops. A condition or count that all slices share decides for all. Otherwise both branches are executed, and
// a loop as long as a slice needs it; a mask says which slices take part, so that the others cannot fail, and results are
// chosen by slice.
#include "enable/lifter.hpp"

#include <utility>

namespace sinter::enable {

using namespace ir;

void Lifter::lift_cond(Cond& cond, const std::vector<Type>& types, const Flags& flags) {
    Operand condition = use(cond.condition);
    if (condition.batched) return choose(cond, condition.id);
    SiteId site = site_;
    Cond made{condition.id, {}};
    for (Body& body : cond.bodies) made.bodies.push_back(lifted_body(body, {}, {}, flags));
    site_ = site;
    define_results(emit(std::move(made), types), flags);
}

void Lifter::choose(Cond& cond, ValueId condition) {
    SiteId site = site_;
    std::optional<ValueId> outer = mask_;
    ValueId other = apply(Op::bit_not, {condition}, Scalar::boolean);
    mask_ = where_masked(condition);
    std::vector<Operand> then = splice_results(cond.bodies[0]);
    mask_ = outer;
    mask_ = where_masked(other);
    std::vector<Operand> otherwise = splice_results(cond.bodies[1]);
    mask_ = outer;
    site_ = site;
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < then.size(); ++i) ids.push_back(select(condition, batched(then[i]), batched(otherwise[i])));
    define_results(ids, Flags(ids.size(), true));
}

std::vector<ValueId> Lifter::add_parameters(Nest& nest, const std::vector<Type>& types) {
    std::vector<ValueId> ids;
    for (const Type& type : types) ids.push_back(add_parameter(nest, type));
    return ids;
}

/// `params` have new names. Results are batched where wanted.
Body Lifter::lifted_body(Body& old, const std::vector<Type>& params, const Flags& flags, const Flags& wanted) {
    Nest nest;
    enter(nest);
    define_results(add_parameters(nest, params), flags);
    std::vector<Operand> results = splice_results(old);
    return leave(nest, batched(results, wanted));
}

void Lifter::lift_loop(Loop& loop, const std::vector<Type>& types, const Flags& flags) {
    if (loop.count && batched_(*loop.count)) return count_each(loop, types);
    if (!loop.count && batched_.body(loop.bodies[0], flags, old_level())[0]) return while_any(loop, types);
    SiteId site = site_;
    std::vector<Operand> inits;
    for (ValueId init : loop.inits) inits.push_back(use(init));
    Loop made{std::nullopt, batched(inits, flags), {}};
    std::vector<Type> params = types;
    Flags param_flags = flags;
    if (loop.count) {
        made.count = rename(*loop.count);
        params.insert(params.begin(), Type{Scalar::i64, {}});
        param_flags.insert(param_flags.begin(), false);
    } else {
        made.bodies.push_back(lifted_body(loop.bodies[0], params, param_flags, {false}));
    }
    made.bodies.push_back(lifted_body(loop.bodies.back(), params, param_flags, flags));
    site_ = site;
    define_results(emit(std::move(made), types), flags);
}

/// One iteration of `body`, whose parameters are define()d, for the slices where `active`; the others keep their states.
std::vector<ValueId> Lifter::states_where(ValueId active, Body& body, const std::vector<ValueId>& states) {
    SiteId site = site_;
    std::optional<ValueId> outer = std::exchange(mask_, active);
    std::vector<Operand> results = splice_results(body);
    mask_ = outer;
    site_ = site;
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < states.size(); ++i) ids.push_back(select(active, batched(results[i]), states[i]));
    return ids;
}

/// As often as the slice with the largest count needs.
void Lifter::count_each(Loop& loop, const std::vector<Type>& types) {
    ValueId count = rename(*loop.count);
    if (mask_) count = select(*mask_, count, batched({constant(Scalar::i64, 0), false}));
    Loop made{reduce_slices(Op::maximum, count), batched(loop.inits), {}};
    Nest nest;
    enter(nest);
    ValueId iteration = add_parameter(nest, {Scalar::i64, {}});
    std::vector<ValueId> states = add_parameters(nest, types);
    define_results(iteration, {false});
    define_results(states, Flags(states.size(), true));
    Map more{apply_op(Op::greater, {Scalar::i64, Scalar::i64}), {count}, {{iteration}, {}}, false};
    ValueId active = emit(std::move(more), {{Scalar::boolean, {extent_}}});
    made.bodies.push_back(leave(nest, states_where(active, loop.bodies[0], states)));
    define_batched(emit(std::move(made), types), types.size());
}

/// Whether each slice goes on from these states, if it has come so far.
ValueId Lifter::still_active(Body condition, const std::vector<ValueId>& states) {
    SiteId site = site_;
    std::size_t outside = old_level();
    define_results(states, Flags(states.size(), true));
    Operand active = splice_results(condition)[0];
    undefine(outside);
    site_ = site;
    return where_masked(batched(active));
}

/// While there is an active slice. Which ones are is the first state: the others do not evaluate the condition either.
void Lifter::while_any(Loop& loop, const std::vector<Type>& types) {
    Loop made{std::nullopt, batched(loop.inits), {}};
    made.inits.insert(made.inits.begin(), still_active(loop.bodies[0], made.inits));
    std::vector<Type> params = types;
    params.insert(params.begin(), type(made.inits[0]));
    Nest condition;
    enter(condition);
    ValueId some = reduce_slices(Op::bit_or, add_parameters(condition, params)[0]);
    made.bodies.push_back(leave(condition, {some}));
    made.bodies.push_back(iteration_of(loop, params));
    ValueId first = emit(std::move(made), params);
    define_batched(ValueId(first.index + 1), types.size());
}

/// params: which slices are active, then the states.
Body Lifter::iteration_of(Loop& loop, const std::vector<Type>& params) {
    Nest nest;
    enter(nest);
    std::size_t outside = old_level();
    std::vector<ValueId> states = add_parameters(nest, params);
    ValueId active = states[0];
    states.erase(states.begin());
    define_results(states, Flags(states.size(), true));
    std::vector<ValueId> results = states_where(active, loop.bodies[1], states);
    undefine(outside);
    std::optional<ValueId> outer = std::exchange(mask_, active);
    results.insert(results.begin(), still_active(loop.bodies[0], results));
    mask_ = outer;
    return leave(nest, std::move(results));
}

}  // namespace sinter::enable
