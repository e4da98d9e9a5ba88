// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/slices/batched.hpp"
#include "ir/sizes/size_parts.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

Flags either(Flags a, const Flags& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
    return a;
}

/// True if the block reads elements of an array, not only its extents.
bool reads(const Block& block, std::size_t slot) {
    return any_inst(block, [slot](const Inst& inst) { return inst.op == Op::read && inst.bits == slot; });
}

/// `outside`: the level of the body's first parameter. With the arrays that the loop overwrites beside ones of the same
/// shape that differ from slice to slice: in one loop, both are filled line by line (enable/loops/recurrences.hpp), as the
/// coefficients and the right side of a tridiagonal system.
Flags with_filled(const Loop& loop, std::size_t outside, Flags states) {
    const Body& body = loop.bodies.back();
    std::vector<const Scatter*> scatters(body.params.size(), nullptr);  // by variable of the body
    for (const Binding& binding : body.bindings)
        scatters.resize(scatters.size() + binding.types.size(), std::get_if<Scatter>(&binding.op));
    if (!loop.changing.empty()) return states;
    const auto is_filled = [&](std::size_t k) {
        const ValueId next = body.results[k];
        const Scatter* scatter = next.index < outside ? nullptr : scatters[next.index - outside];
        return scatter && scatter->dests.size() == 1 && scatter->dests[0].index == outside + loop.indices() + k;
    };
    const Flags given = states;
    for (std::size_t k = 0; k < states.size(); ++k)
        for (std::size_t other = 0; other < states.size() && !states[k]; ++other)
            states[k] = given[other] && is_filled(k) && is_filled(other) &&
                        body.params[loop.indices() + k].shape == body.params[loop.indices() + other].shape;
    // Numbers that are carried along beside them, too: lanes take the same steps with all states.
    for (std::size_t k = 0; k < states.size() && states != given; ++k) {
        const Type& type = body.params[loop.indices() + k];
        if (type.rank() == 0 && detail::is_float(type.scalar)) states[k] = true;
    }
    return states;
}

}  // namespace

bool any(const Flags& flags) { return std::find(flags.begin(), flags.end(), true) != flags.end(); }

Flags Batched::operator()(const std::vector<ValueId>& ids) const {
    Flags flags;
    for (ValueId id : ids) flags.push_back((*this)(id));
    return flags;
}

void Batched::set(std::size_t level, const Flags& flags) {
    flags_.resize(level, false);
    flags_.insert(flags_.end(), flags.begin(), flags.end());
}

Flags Batched::results(const Binding& binding, std::size_t level) {
    flags_.resize(level, false);
    if (auto* force = std::get_if<Force>(&binding.op)) return (*this)(force->args);
    if (auto* each = std::get_if<Cond>(&binding.op)) return cond(*each, level);
    if (auto* each = std::get_if<Loop>(&binding.op)) return loop(*each, level);
    if (auto* gather = std::get_if<Gather>(&binding.op); gather && !any((*this)(gather->indices)))
        return (*this)(gather->sources);
    if (auto* each = std::get_if<Custom>(&binding.op)) return Flags(binding.types.size(), depends(*each, level));
    if (auto* map = std::get_if<Map>(&binding.op)) return Flags(binding.types.size(), depends(*map));
    if (auto* view = std::get_if<View>(&binding.op); view && begins_elsewhere(*view)) return {true};
    return Flags(binding.types.size(), any((*this)(operands(binding.op))));
}

bool Batched::begins_elsewhere(const View& view) const {
    const auto* slice = std::get_if<Slice>(&view.function);
    return sizes_ != nullptr && slice != nullptr && std::any_of(slice->start.begin(), slice->start.end(), *this);
}

bool Batched::operator()(SizeId size) const {
    bool found = false;
    for_each_value(*sizes_, size, [&](ValueId id) { found = found || (*this)(id); });
    return found;
}

/// Ignores extents: all slices have the same.
bool Batched::depends(const Map& map) const {
    if (any((*this)(map.args)) || any((*this)(map.captures.scalars))) return true;
    for (std::size_t slot = 0; slot < map.captures.arrays.size(); ++slot)
        if ((*this)(map.captures.arrays[slot]) && reads(map.fn.body, slot)) return true;
    return false;
}

/// The dependence may come through its arguments, or through what the function and the rule use from outside.
bool Batched::depends(const Custom& custom, std::size_t level) {
    if (any((*this)(custom.args))) return true;
    return std::any_of(custom.bodies.begin(), custom.bodies.end(),
                       [&](const Body& each) { return any(body(each, Flags(each.params.size(), false), level)); });
}

Flags Batched::cond(const Cond& cond, std::size_t level) {
    Flags then = body(cond.bodies[0], {}, level), otherwise = body(cond.bodies[1], {}, level);
    if ((*this)(cond.condition)) return Flags(then.size(), true);
    return either(std::move(then), otherwise);
}

Flags Batched::loop(const Loop& loop, std::size_t level) {
    const std::size_t extents = loop.changing.size();
    Flags states = (*this)(loop.inits);
    const Flags all(extents + states.size(), true);
    if (loop.count && (*this)(*loop.count)) return all;
    for (;;) {
        Flags params(loop.indices() + extents, false);
        params.insert(params.end(), states.begin(), states.end());
        if (!loop.count && body(loop.bodies[0], params, level)[0]) return all;
        Flags next = either(body(loop.bodies.back(), params, level), states);
        if (next == states) next = with_filled(loop, level, std::move(next));
        if (next == states) break;
        states = std::move(next);
    }
    states.insert(states.begin(), extents, false);
    return states;
}

Flags Batched::body(const Body& body, const Flags& params, std::size_t level) {
    set(level, params);
    for (const Binding& binding : body.bindings) {
        std::size_t first = flags_.size();
        set(first, results(binding, first));
    }
    Flags flags = (*this)(body.results);
    flags_.resize(level);
    return flags;
}

}  // namespace sinter::enable
