// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps and gathers compute an element where it is read.
#include "enable/flatten/flatten_rules.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/tuning.hpp"
#include "ir/walk.hpp"
#include "opt/cost.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

/// An element of an array of the slice, at an index that is checked.
Local checked_element(Flats& flats, ElementWriter& to, ValueId array, Local slice, Locals index) {
    if (flats.is_flat(array))
        for (std::size_t axis = 0; axis < index.size(); ++axis)
            index[axis] = to.checked(index[axis], flats.extent(to, array, axis, slice), axis);
    return flats.element(to, array, slice, index);
}

}  // namespace

std::size_t cost_of(const Flats& flats, const Fn& fn, const std::vector<ValueId>& args, const Captures& captures) {
    std::size_t cost = count_instructions(fn.body) + (opt::is_expensive(fn.body) ? tuning::cost_of_loop : 0);
    for (const auto* ids : {&args, &captures.arrays})
        for (ValueId id : *ids) cost += flats.cost(id);
    return cost;
}

Locals call(Flats& flats, ElementWriter& to, const Fn& fn, const Captures& captures, Locals arguments, Local slice,
            const Locals& outer) {
    for (ValueId id : captures.scalars)
        arguments.push_back(flats.element(to, id, slice, flats.rank(id) == 0 ? Locals() : outer));
    return inlined(flats, to, fn, captures.arrays, std::move(arguments), slice);
}

Locals inlined(Flats& flats, ElementWriter& to, const Fn& fn, const std::vector<ValueId>& arrays, Locals arguments,
               Local slice) {
    auto rewrite = [&](BlockBuilder& builder, const Inst& inst) -> std::optional<Local> {
        if (names_element(inst)) return name_slice(builder, inst, slice);
        if (inst.op == Op::read) return checked_element(flats, to, arrays[inst.bits], slice, inst.operands);
        if (inst.op == Op::extent) return flats.extent(to, arrays[extent_of(inst).slot], extent_of(inst).axis, slice);
        return std::nullopt;
    };
    return inline_block(to.builder(), fn.body, std::move(arguments), rewrite);
}

/// All elements of what contains expectations or prints are computed, once.
void flatten_map(Flats& flats, const Map& map, const Types& types) {
    const Element element = [&flats, &map](ElementWriter& to, Local slice, const Locals& index) {
        Locals arguments;
        if (map.indexed) arguments = index;
        for (ValueId arg : map.args) arguments.push_back(flats.element(to, arg, slice, index));
        return call(flats, to, map.fn, map.captures, std::move(arguments), slice, index);
    };
    const std::size_t first = flats.slices().old_level();
    flats.define(types, element, cost_of(flats, map.fn, map.args, map.captures));
    if (!any_inst(map.fn.body, names_element)) return;
    for (std::size_t k = 0; k < types.size(); ++k)
        if (flats.is_flat(ValueId(first + k))) flats.memory(ValueId(first + k));
}

void flatten_gather(Flats& flats, const Gather& gather, const Types& types) {
    const Element element = [&flats, &gather](ElementWriter& to, Local slice, const Locals& index) {
        Locals at, results;
        for (ValueId id : gather.indices) at.push_back(flats.element(to, id, slice, index));
        for (ValueId source : gather.sources) results.push_back(checked_element(flats, to, source, slice, at));
        return results;
    };
    std::size_t cost = 0;
    for (const auto* ids : {&gather.indices, &gather.sources})
        for (ValueId id : *ids) cost += flats.cost(id);
    flats.define(types, element, cost);
}

void flatten_force(Flats& flats, const Force& force, const Types& types) {
    for (std::size_t k = 0; k < types.size(); ++k) {
        if (flats.is_flat(force.args[k])) {
            const ValueId arg = flats.memory(force.args[k]);
            flats.define_memory(types[k], flats.slices().emit(Force{{arg}, force.again}, {flats.slices().type(arg)}));
        } else {
            const Slices::Operand arg = flats.slices().use(force.args[k]);
            const ir::ValueId id = flats.slices().emit(Force{{arg.id}, force.again}, {flats.slices().type(arg.id)});
            flats.slices().define_results(std::vector<ValueId>{id}, {arg.batched});
        }
    }
}

}  // namespace sinter::enable
