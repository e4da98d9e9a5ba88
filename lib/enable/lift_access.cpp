// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather and scatter: where the array accessed is one of the slice's own, the slice's position is its first index. Sort and
// force: as they are.
#include "enable/lifter.hpp"

namespace sinter::enable {

using namespace ir;

/// Sources that all slices share keep their rank, so those of the slice's own are a gather of their own. Where neither
/// source nor indices are batched, the gather stays as it is.
void Lifter::lift_gather(const Gather& gather, const std::vector<Type>& types, const Flags& flags) {
    std::vector<ValueId> ids(types.size());
    for (bool own : {false, true}) {
        Gather part{gather.indices, {}};
        std::vector<Type> part_types;
        for (std::size_t s = 0; s < types.size(); ++s)
            if (batched_(gather.sources[s]) == own)
                part.sources.push_back(gather.sources[s]), part_types.push_back(types[s]);
        if (part.sources.empty()) continue;
        ValueId next = gather_from(part, part_types);
        for (std::size_t s = 0; s < types.size(); ++s)
            if (batched_(gather.sources[s]) == own) ids[s] = next, next = ValueId(next.index + 1);
    }
    define_results(ids, flags);
}

/// Sources all batched, or none. A masked one becomes a map that reads where the mask is set.
ValueId Lifter::gather_from(const Gather& part, const std::vector<Type>& types) {
    bool own = batched_(part.sources[0]);
    if (!own && !any(batched_(part.indices))) {
        ArrayOp shared = part;
        rename(shared);
        mask_shared(shared, types);
        return emit(std::move(shared), types);
    }
    if (mask_) return map_arrays(as_map(part, types), types);
    Gather made;
    if (own) made.indices.push_back(positions(types[0].shape));
    for (ValueId index : batched(part.indices)) made.indices.push_back(index);
    for (ValueId source : part.sources) made.sources.push_back(rename(source));
    return emit(std::move(made), types);
}

void Lifter::lift_scatter(const Scatter& scatter, const std::vector<Type>& types) {
    for (ValueId id : scatter.captures.scalars)
        if (batched_(id)) refuse("the operator differs from slice to slice");
    for (ValueId id : scatter.captures.arrays)
        if (batched_(id)) refuse("the operator differs from slice to slice");
    Scatter made = scatter;
    made.dests = batched(scatter.dests);
    made.values = batched(scatter.values);
    made.indices = {positions(type(made.values[0]).shape)};
    for (ValueId index : batched(scatter.indices)) {
        if (mask_) index = masked_index(index, scatter.drops.has_value(), spread(*mask_, type(index).shape));
        made.indices.push_back(index);
    }
    if (scatter.drops || mask_) made.drops = scatter.drops.value_or(0) + 1;
    for (ValueId& id : made.captures.scalars) id = rename(id);
    for (ValueId& id : made.captures.arrays) id = rename(id);
    define_batched(emit(std::move(made), types), types.size());
}

/// Where not `wanted`, of the index's shape, -1: the element is dropped. An index of -1 that is an error stays one, as -2.
ValueId Lifter::masked_index(ValueId index, bool drops, ValueId wanted) {
    const Shape shape = type(index).shape;
    auto everywhere = [&](std::int64_t value) {
        return emit(View{constant(Scalar::i64, static_cast<std::uint64_t>(value)), Broadcast{}, {}}, {{Scalar::i64, shape}});
    };
    ValueId dropped = everywhere(-1);
    if (!drops) {
        ValueId wrong = apply(Op::equal, {index, dropped}, Scalar::boolean);
        index = apply(Op::select, {wrong, everywhere(-2), index}, Scalar::i64);
    }
    return apply(Op::select, {wanted, index, dropped}, Scalar::i64);
}

void Lifter::lift_sort(const Sort& sort, const std::vector<Type>& types) {
    define_batched(emit(Sort{batched(sort.args), sort.keys, sort.descending}, types), types.size());
}

void Lifter::lift_force(const Force& force, const Flags& flags) {
    Force made;
    std::vector<Type> types;
    for (ValueId arg : force.args) made.args.push_back(rename(arg)), types.push_back(type(made.args.back()));
    define_results(emit(std::move(made), std::move(types)), flags);
}

}  // namespace sinter::enable
