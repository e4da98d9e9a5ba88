// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather and scatter: if the array accessed belongs to the slice, the slice's position becomes the first index. Sort and
// force stay as they are.
#include "enable/lift/lift_rules.hpp"
#include "enable/slices/lift_function.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

/// Either all sources are batched or none is. A masked gather becomes a map that reads where the mask is set.
ValueId gather_from(Slices& slices, const Gather& part, const Types& types) {
    bool own = slices.is_batched()(part.sources[0]);
    if (!own && !any(slices.is_batched()(part.indices))) {
        ArrayOp shared = part;
        slices.rename(shared);
        mask_shared(slices, shared, types);
        return slices.emit(std::move(shared), types);
    }
    if (slices.mask()) return map_arrays(slices, as_map(part, types), types);
    Gather made;
    if (own) made.indices.push_back(slices.positions(types[0].shape));
    for (ValueId index : slices.batched(part.indices)) made.indices.push_back(index);
    for (ValueId source : part.sources) made.sources.push_back(slices.rename(source));
    return slices.emit(std::move(made), types);
}

}  // namespace

/// Sources that all slices share keep their rank; therefore those that belong to the slice become a separate gather. If
/// neither sources nor indices are batched, the gather stays as it is.
void lift_gather(Slices& slices, const Gather& gather, const Types& types, const Flags& flags) {
    std::vector<ValueId> ids(types.size());
    for (bool own : {false, true}) {
        Gather part{gather.indices, {}};
        std::vector<Type> part_types;
        for (std::size_t k = 0; k < types.size(); ++k)
            if (slices.is_batched()(gather.sources[k]) == own)
                part.sources.push_back(gather.sources[k]), part_types.push_back(types[k]);
        if (part.sources.empty()) continue;
        ValueId next = gather_from(slices, part, part_types);
        for (std::size_t k = 0; k < types.size(); ++k)
            if (slices.is_batched()(gather.sources[k]) == own) ids[k] = next, next = ValueId(next.index + 1);
    }
    slices.define_results(ids, flags);
}

void lift_scatter(Slices& slices, const Scatter& scatter, const Types& types) {
    for (ValueId id : scatter.captures.scalars)
        if (slices.is_batched()(id)) slices.refuse("the operator differs from slice to slice");
    for (ValueId id : scatter.captures.arrays)
        if (slices.is_batched()(id)) slices.refuse("the operator differs from slice to slice");
    Scatter made = scatter;
    made.dests = slices.batched(scatter.dests);
    made.values = slices.batched(scatter.values);
    made.indices = {slices.positions(slices.type(made.values[0]).shape)};
    for (ValueId index : slices.batched(scatter.indices)) {
        if (slices.mask())
            index = masked_index(slices, index, scatter.drops.has_value(),
                                 slices.spread(*slices.mask(), slices.type(index).shape));
        made.indices.push_back(index);
    }
    if (scatter.drops || slices.mask()) made.drops = scatter.drops.value_or(0) + 1;
    for (ValueId& id : made.captures.scalars) id = slices.rename(id);
    for (ValueId& id : made.captures.arrays) id = slices.rename(id);
    slices.define_batched(slices.emit(std::move(made), types), types.size());
}

void lift_sort(Slices& slices, const Sort& sort, const Types& types) {
    slices.define_batched(slices.emit(Sort{slices.batched(sort.args), sort.keys, sort.descending}, types), types.size());
}

void lift_force(Slices& slices, const Force& force, const Flags& flags) {
    Force made{{}, force.again};
    std::vector<Type> types;
    for (ValueId arg : force.args) made.args.push_back(slices.rename(arg)), types.push_back(slices.type(made.args.back()));
    slices.define_results(slices.emit(std::move(made), std::move(types)), flags);
}

}  // namespace sinter::enable
