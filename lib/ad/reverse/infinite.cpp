// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/infinite.hpp"

#include "ir/derivative/infinite_locals.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

namespace {

Flags either(Flags a, const Flags& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = a[k] || b[k];
    return a;
}

void join(Flags& to, const Flags& more) { to.insert(to.end(), more.begin(), more.end()); }

bool is_extremum(const Fn& op) {
    const std::optional<Op> single = as_single_op(op);
    return single == Op::minimum || single == Op::maximum;
}

}  // namespace

Flags Infinite::operator()(const std::vector<ValueId>& ids) const {
    Flags flags;
    for (ValueId id : ids) flags.push_back((*this)(id));
    return flags;
}

void Infinite::set(std::size_t level, const Flags& flags) {
    flags_.resize(level, false);
    flags_.insert(flags_.end(), flags.begin(), flags.end());
}

Flags Infinite::results(const Binding& binding, std::size_t level) {
    flags_.resize(level, false);
    const std::size_t count = binding.types.size();
    if (auto* map = std::get_if<Map>(&binding.op)) {
        Flags params(map->fn.body.params.size() - map->args.size() - map->captures.scalars.size());
        join(params, (*this)(map->args));
        return of_function(map->fn, std::move(params), map->captures);
    }
    if (auto* each = std::get_if<Fold>(&binding.op)) return fold(*each);
    if (auto* each = std::get_if<Scan>(&binding.op)) return scan(*each);
    if (auto* force = std::get_if<Force>(&binding.op)) return (*this)(force->args);
    if (auto* gather = std::get_if<Gather>(&binding.op)) return (*this)(gather->sources);
    if (auto* each = std::get_if<Cond>(&binding.op)) return cond(*each, level);
    if (auto* each = std::get_if<Loop>(&binding.op)) return loop(*each, level);
    // What a function of the user's returns is finite if what it is applied to is; so is what is only moved.
    return Flags(count, any((*this)(operands(binding.op))));
}

Flags Infinite::of_function(const Fn& fn, Flags params, const Captures& captures) const {
    join(params, (*this)(captures.scalars));
    return derivative::infinite_results(fn, std::move(params), (*this)(captures.arrays));
}

/// That the smallest of no elements is infinite does not count.
Flags Infinite::fold(const Fold& fold) const {
    const Flags args = (*this)(fold.args);
    if (is_extremum(fold.op)) return args;
    Flags states = either((*this)(fold.inits), args), params = states;
    join(params, args);
    return either(states, of_function(fold.op, std::move(params), fold.captures));
}

Flags Infinite::scan(const Scan& scan) const {
    const Flags args = (*this)(scan.args);
    Flags states(scan.states());
    if (!scan.inits.empty()) states = (*this)(scan.inits);
    if (!scan.sequential) states = either(std::move(states), args);
    for (;;) {
        Flags params = states;
        join(params, args);
        Flags next = either(states, of_function(scan.op, std::move(params), scan.captures));
        if (next == states) break;
        states = std::move(next);
    }
    if (scan.totals) join(states, Flags(states));
    return states;
}

Flags Infinite::cond(const Cond& cond, std::size_t level) {
    const Flags then = body(cond.bodies[0], {}, level);
    return either(then, body(cond.bodies[1], {}, level));
}

/// The least fixed point.
Flags Infinite::loop(const Loop& loop, std::size_t level) {
    const std::size_t extents = loop.changing.size();
    Flags states = (*this)(loop.inits);
    for (;;) {
        Flags params(loop.indices() + extents, false);
        join(params, states);
        Flags next = either(states, body(loop.bodies.back(), params, level));
        if (next == states) break;
        states = std::move(next);
    }
    states.insert(states.begin(), extents, false);
    return states;
}

Flags Infinite::body(const Body& body, const Flags& params, std::size_t level) {
    set(level, params);
    for (const Binding& binding : body.bindings) {
        const std::size_t first = flags_.size();
        set(first, results(binding, first));
    }
    Flags flags = (*this)(body.results);
    flags_.resize(level, false);
    return flags;
}

}  // namespace sinter::ad
