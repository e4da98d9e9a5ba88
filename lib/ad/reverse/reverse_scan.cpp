// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of a scan are y(i) = y(i - 1) op a(i). Its reverse sweep is a recurrence from the last state to the first. Let
// g(i) be the adjoint of y(i) from everything that uses it. Then element a(i) gets g(i) times the derivative of op with
// respect to its right operand, and y(i - 1) gets g(i) times that with respect to its left operand. A running sum needs no
// recurrence: its reverse sweep is a running sum from the other end.
#include "ad/loops/affine_steps.hpp"
#include "ad/reverse/additive.hpp"
#include "ad/reverse/reverse.hpp"
#include "enable/slices/lift_function.hpp"
#include "ir/derivative/adjoint_function.hpp"
#include "ir/derivative/terms.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

/// op with its states and elements exchanged: a scan from the other end combines each element with what follows it.
Fn exchanged(const Fn& op, std::size_t states) {
    BlockBuilder builder;
    builder.open(op.body.params);
    std::vector<Local> places;
    for (std::size_t k = 0; k < op.body.params.size(); ++k)
        places.push_back(Local(k < states ? k + states : k < 2 * states ? k - states : k));
    return canonical({op.arrays, builder.close(inline_block(builder, op.body, places))});
}

}  // namespace

void Reverse::pull_scan(const Scan& scan, const Done& done) {
    const bool captures = !scan.captures.scalars.empty() || !scan.captures.arrays.empty();
    if (!captures && !scan.sequential && is_additive(scan.op, scan.states())) return pull_running_sum(scan, done);
    pull_recurrence(scan, done);
}

void Reverse::pull_running_sum(const Scan& scan, const Done& done) {
    const std::size_t count = scan.states();
    for (std::size_t k = 0; k < count; ++k) {
        const Derived total = scan.totals ? done.adjoints[count + k] : std::nullopt;
        if (!done.adjoints[k] && !total) continue;
        const Type element = type(rename(scan.args[k]));
        Derived sum;
        if (done.adjoints[k]) {
            const ValueId zero = constant(element.scalar, 0);
            Scan back{sum_fn(element.scalar), {zero}, {*done.adjoints[k]}, {}, scan.axis};
            back.exclusive = scan.exclusive, back.reverse = !scan.reverse;
            sum = emit(std::move(back), {element});
        }
        if (total) {
            const ValueId all = spread(*total, {scan.axis}, element.shape);
            sum = sum ? add(*sum, all) : all;
        }
        contribute(scan.args[k], *sum);
        if (scan.inits.empty() || !wants(scan.inits[k])) continue;
        if (done.adjoints[k]) contribute_sum(scan.inits[k], this->sum(*done.adjoints[k], {scan.axis}));
        if (total) contribute_sum(scan.inits[k], *total);
    }
}

void Reverse::pull_recurrence(const Scan& scan, const Done& done) {
    const std::size_t count = scan.states();
    const Fn op = scan.reverse && !scan.sequential ? exchanged(scan.op, count) : scan.op;
    const std::vector<Derived> prefixes(done.adjoints.begin(), done.adjoints.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<ValueId> results(done.results.begin(), done.results.begin() + static_cast<std::ptrdiff_t>(count));
    Walk steps{op, scan.captures, scan.axis, scan.reverse, scan.inits.empty(), {}, renamed(scan.args), {}, {}, {}, {}};
    steps.infinite = infinite_steps(done, count, scan.args, op);
    steps.after.resize(count), steps.before.resize(count), steps.last.resize(count);
    if (scan.totals) steps.last.assign(done.adjoints.begin() + static_cast<std::ptrdiff_t>(count), done.adjoints.end());
    (scan.exclusive ? steps.before : steps.after) = prefixes;
    steps.states = results;
    if (!scan.exclusive)
        for (std::size_t k = 0; k < count; ++k)
            steps.states[k] =
                one_before(results[k], scan.inits.empty() ? std::nullopt : Derived(rename(scan.inits[k])), scan);
    const Walked walked = walk(steps);
    std::size_t next = 0;
    for (std::size_t k = 0; k < scan.args.size(); ++k)
        if (detail::is_float(type(steps.elements[k]).scalar)) contribute(scan.args[k], walked.elements[next++]);
    next = 0;
    for (std::size_t k = 0; k < scan.inits.size(); ++k)
        if (detail::is_float(type(rename(scan.inits[k])).scalar)) contribute_sum(scan.inits[k], walked.inits[next++]);
}

Flags Reverse::infinite_steps(const Done& done, std::size_t states, const std::vector<ValueId>& args, const Fn& op) {
    if (!is_masked(done.adjoints, op)) return {};
    Flags flags = infinite_.results(done.binding, old_level());
    flags.resize(states);
    for (ValueId id : args) flags.push_back(infinite_(id));
    return flags;
}

/// The states before each step: the first is the init, if there is one.
ValueId Reverse::one_before(ValueId states, const Derived& init, const Scan& scan) {
    const Type type = this->type(states);
    std::vector<SizeId> start(type.rank(), sizes().constant(0));
    start[scan.axis] = sizes().constant(scan.reverse ? 1 : -1);
    // A constant of the type, because View::fill has to be one.
    const ValueId moved =
        emit(View{states, Slice{start, std::vector<std::int64_t>(type.rank(), 1)}, zero_of(type.scalar)}, {type});
    if (!init) return moved;
    return emit(Map{enable::apply_op(Op::select, {Scalar::boolean, type.scalar, type.scalar}),
                    {first_step(type.shape, scan.axis, scan.reverse, states), spread(*init, {scan.axis}, type.shape), moved},
                    {},
                    false},
                {type});
}

/// True at the points that are first along the axis, or last if `reverse`.
ValueId Reverse::first_step(Shape shape, std::size_t axis, bool reverse, ValueId like) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(shape.size(), Scalar::i64));
    Local first = builder.constant_index(0);
    Fn fn;
    Captures captures;
    if (reverse) {
        fn.arrays = {{type(like).scalar, shape.size()}};
        captures.arrays = {like};
        const Local extent = builder.emit(Inst{Op::extent, {Scalar::i64}, extent_bits({0, axis}), {}, {}});
        first = builder.emit(Op::sub, {extent, builder.constant_index(1)});
    }
    fn.body = builder.close({builder.emit(Op::equal, {Local(axis), first})});
    return emit(Map{std::move(fn), {}, std::move(captures), true}, {{Scalar::boolean, shape}});
}

namespace {

std::vector<std::size_t> floating(const std::vector<Scalar>& types) {
    std::vector<std::size_t> positions;
    for (std::size_t k = 0; k < types.size(); ++k)
        if (detail::is_float(types[k])) positions.push_back(k);
    return positions;
}

}  // namespace

/// One step back. Its states are the adjoint of the state, adjoints of the element, and contributions to captured scalars;
/// the latter two are there for their values after each step. Its elements are the state before the step, the element,
/// whether it is the first, and the cotangents.
struct Reverse::Step {
    Fn fn;
    std::vector<std::size_t> states, elements, scalars;  ///< positions of those that are floating-point
    std::size_t first_seed = 0, end_seed = 0;            ///< range of the parameters that are cotangents
};

Reverse::Step Reverse::step_back(const Walk& walk, const std::vector<Scalar>& states, const std::vector<Scalar>& elements) {
    Step made{{}, floating(states), floating(elements), {}};
    AdjointPlaces places;
    for (Scalar type : states) places.primal.push_back(places.add(type)), places.wanted.push_back(detail::is_float(type));
    for (Scalar type : elements) places.primal.push_back(places.add(type)), places.wanted.push_back(detail::is_float(type));
    for (Scalar type : states) places.cotangents.push_back(detail::is_float(type) ? Term(places.add(type)) : std::nullopt);
    for (std::size_t k = 0; k < walk.captures.scalars.size(); ++k) {
        const ValueId id = walk.captures.scalars[k];
        places.primal.push_back(places.add(type(rename(id)).scalar));
        places.wanted.push_back(wants(id));
        if (wants(id)) made.scalars.push_back(k);
    }
    for (ValueId id : walk.captures.arrays) {
        places.slots.push_back(false);
        if (wants(id))
            refuse("derivative: an operator of a fold or scan that reads elements of an array that is differentiated by");
    }
    if (places.infinite = walk.infinite; !places.infinite.empty())
        for (ValueId id : walk.captures.scalars) places.infinite.push_back(infinite_(id));
    const derivative::Adjoint adjoint = adjoint_function(walk.op, places);

    BlockBuilder builder;
    std::vector<Scalar> params;
    for (std::size_t k : made.states) params.push_back(states[k]);
    for (std::size_t k : made.elements) params.push_back(elements[k]);
    for (std::size_t k : made.scalars) params.push_back(type(rename(walk.captures.scalars[k])).scalar);
    const std::size_t first = params.size();
    params.insert(params.end(), states.begin(), states.end());
    params.insert(params.end(), elements.begin(), elements.end());
    if (walk.no_init) params.push_back(Scalar::boolean);
    const std::size_t seeds = params.size();
    for (std::size_t k : made.states)
        params.insert(params.end(), (walk.after[k] ? 1 : 0) + (walk.before[k] ? 1 : 0), states[k]);
    const std::size_t scalars = params.size();
    made.first_seed = seeds, made.end_seed = scalars;
    for (ValueId id : walk.captures.scalars) params.push_back(type(rename(id)).scalar);
    builder.open(params);
    Terms terms(builder);

    std::vector<Local> substitution;
    for (std::size_t k = 0; k < states.size() + elements.size(); ++k) substitution.push_back(Local(first + k));
    std::vector<Term> before(states.size());
    std::vector<Local> arriving;
    std::size_t next = seeds;
    for (std::size_t n = 0; n < made.states.size(); ++n) {
        const std::size_t k = made.states[n];
        Local sum(n);
        if (walk.after[k]) sum = terms.add(sum, Local(next++));
        if (walk.before[k]) before[k] = Local(next++);
        arriving.push_back(sum);
    }
    substitution.insert(substitution.end(), arriving.begin(), arriving.end());
    for (std::size_t k = 0; k < walk.captures.scalars.size(); ++k) substitution.push_back(Local(scalars + k));
    const std::vector<Local> contributions = inline_block(builder, adjoint.fn.body, substitution);
    auto contribution = [&](std::size_t param) -> Term {
        return adjoint.params[param] ? Term(contributions[*adjoint.params[param]]) : std::nullopt;
    };
    const Local is_first = walk.no_init ? Local(seeds - 1) : Local();
    auto unless_first = [&](Local value, Local at_first) {
        return walk.no_init ? terms.select(is_first, at_first, value) : value;
    };
    std::vector<Local> results;
    for (std::size_t k : made.states) {
        const Local passed = terms.or_zero(contribution(k), states[k]);
        const Term sum = terms.plus(unless_first(passed, terms.zero(states[k])), before[k]);
        results.push_back(*sum);
    }
    for (std::size_t n = 0; n < made.elements.size(); ++n) {
        const std::size_t k = made.elements[n];
        const Local value = terms.or_zero(contribution(states.size() + k), elements[k]);
        results.push_back(walk.no_init ? unless_first(value, arriving[n]) : value);
    }
    for (std::size_t k : made.scalars) {
        const Scalar scalar = type(rename(walk.captures.scalars[k])).scalar;
        const Local value = terms.or_zero(contribution(states.size() + elements.size() + k), scalar);
        results.push_back(unless_first(value, terms.zero(scalar)));
    }
    made.fn = {walk.op.arrays, builder.close(std::move(results))};
    made.fn = canonical(made.fn);
    return made;
}

Reverse::Walked Reverse::walk(const Walk& walk) {
    auto scalars_of = [&](const std::vector<ValueId>& ids) {
        std::vector<Scalar> scalars;
        for (ValueId id : ids) scalars.push_back(type(id).scalar);
        return scalars;
    };
    const std::vector<Scalar> states = scalars_of(walk.states), elements = scalars_of(walk.elements);
    const Step step = step_back(walk, states, elements);
    std::vector<ValueId> args = walk.states;
    args.insert(args.end(), walk.elements.begin(), walk.elements.end());
    if (walk.no_init) args.push_back(first_step(type(args[0]).shape, walk.axis, walk.reverse, args[0]));
    for (std::size_t k : step.states) {
        if (walk.after[k]) args.push_back(*walk.after[k]);
        if (walk.before[k]) args.push_back(*walk.before[k]);
    }
    const Captures captures{renamed(walk.captures.scalars), renamed(walk.captures.arrays)};
    // Across many lines, the recurrence itself is parallel and does less work. A composition of steps has products of their
    // derivatives, in which 0 times something infinite would remain.
    const bool infinite = std::find(walk.infinite.begin(), walk.infinite.end(), true) != walk.infinite.end();
    if (!infinite && type(args[0]).rank() == 1 && is_diagonal(step.fn, step.states.size()))
        return walk_by_scan(walk, step, args, captures);
    return walk_by_recurrence(walk, step, args, captures);
}

Reverse::Walked Reverse::walk_by_recurrence(const Walk& walk, const Step& step, const std::vector<ValueId>& args,
                                            const Captures& captures) {
    const Shape shape = type(args[0]).shape;
    Shape line = shape;
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(walk.axis));
    Scan scan{step.fn, {}, args, captures, walk.axis};
    scan.reverse = !walk.reverse, scan.totals = scan.sequential = true;
    std::vector<Type> types;
    auto state = [&](const Derived& init, Scalar scalar) {
        scan.inits.push_back(init ? *init : constant(scalar, 0));
        types.push_back({scalar, shape});
    };
    for (std::size_t k : step.states) state(walk.last[k], type(walk.states[k]).scalar);
    for (std::size_t k : step.elements) state({}, type(walk.elements[k]).scalar);
    for (std::size_t k : step.scalars) state({}, type(captures.scalars[k]).scalar);
    const std::size_t count = types.size();
    for (std::size_t k = 0; k < count; ++k) types.push_back({types[k].scalar, line});
    const std::size_t first = emit(std::move(scan), std::move(types)).index;
    std::vector<ValueId> inits;
    for (std::size_t n = 0; n < step.states.size(); ++n) inits.emplace_back(first + count + n);
    return walked(walk, step, first + step.states.size(), std::move(inits));
}

/// Computes the factors and summands of all steps, then by a scan of their compositions what arrives at each of them, and
/// then all steps at once.
Reverse::Walked Reverse::walk_by_scan(const Walk& walk, const Step& step, const std::vector<ValueId>& args,
                                      const Captures& captures) {
    const std::size_t count = step.states.size(), dropped = count + step.elements.size() + step.scalars.size();
    const Shape shape = type(args[0]).shape;
    std::vector<Scalar> scalars;
    for (std::size_t k : step.states) scalars.push_back(type(walk.states[k]).scalar);
    std::vector<Type> pairs, totals;
    Scan scan{compose_affine(scalars, !walk.reverse), {}, {}, {}, walk.axis, true, !walk.reverse, true};
    for (Scalar scalar : scalars) pairs.push_back({scalar, shape}), scan.inits.push_back(constant(scalar, 1));
    for (std::size_t n = 0; n < count; ++n) {
        pairs.push_back({scalars[n], shape});
        const Derived& last = walk.last[step.states[n]];
        scan.inits.push_back(last ? *last : constant(scalars[n], 0));
    }
    const Fn parts = affine_parts(step.fn, count, dropped, step.first_seed, step.end_seed);
    const std::size_t part = emit(Map{parts, args, captures, false}, pairs).index;
    for (std::size_t n = 0; n < 2 * count; ++n) scan.args.emplace_back(part + n);
    for (const Type& pair : pairs) totals.push_back({pair.scalar, {}});
    pairs.insert(pairs.end(), totals.begin(), totals.end());
    const std::size_t arrived = emit(std::move(scan), std::move(pairs)).index;

    // The step itself: its first parameters are what has arrived, and zeros for the others.
    BlockBuilder builder;
    std::vector<Scalar> params = scalars;
    params.insert(params.end(), step.fn.body.params.begin() + static_cast<std::ptrdiff_t>(dropped),
                  step.fn.body.params.end());
    builder.open(params);
    Terms terms(builder);
    std::vector<Local> places;
    for (std::size_t k = 0; k < step.fn.body.params.size(); ++k)
        places.push_back(k < count     ? Local(k)
                         : k < dropped ? terms.zero(step.fn.body.params[k])
                                       : Local(k - dropped + count));
    std::vector<Local> results = inline_block(builder, step.fn.body, places);
    results.erase(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(count));
    Map map{{step.fn.arrays, builder.close(std::move(results))}, {}, captures, false};
    map.fn = canonical(map.fn);
    for (std::size_t n = 0; n < count; ++n) map.args.emplace_back(arrived + count + n);
    map.args.insert(map.args.end(), args.begin(), args.end());
    std::vector<Type> types;
    for (Scalar scalar : result_types(map.fn)) types.push_back({scalar, shape});
    const std::size_t first = emit(std::move(map), std::move(types)).index;
    std::vector<ValueId> inits;
    for (std::size_t n = 0; n < count; ++n) inits.emplace_back(arrived + 3 * count + n);
    return walked(walk, step, first, std::move(inits));
}

/// The result, given the variables from `first` on: the adjoints of the elements, followed by the contributions of all steps
/// to captured scalars.
Reverse::Walked Reverse::walked(const Walk& walk, const Step& step, std::size_t first, std::vector<ValueId> inits) {
    Walked made{{}, std::move(inits)};
    for (std::size_t n = 0; n < step.elements.size(); ++n) made.elements.emplace_back(first + n);
    for (std::size_t n = 0; n < step.scalars.size(); ++n) {
        const ValueId each(first + step.elements.size() + n), id = walk.captures.scalars[step.scalars[n]];
        contribute(id, type(rename(id)).rank() == 0 ? sum_of_all(each) : sum(each, {walk.axis}));
    }
    return made;
}

}  // namespace sinter::ad
