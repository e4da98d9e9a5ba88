// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks for operations that must not fail where no slice takes part.
#include "enable/lift/lift_rules.hpp"
#include "enable/slices/lift_function.hpp"
#include "opt/cost.hpp"

namespace sinter::enable {

using namespace ir;

void mask_shared(Slices& slices, ArrayOp& op, const Types& types) {
    if (!slices.mask()) return;
    if (auto* gather = std::get_if<Gather>(&op)) op = as_map(*gather, types);
    if (auto* scatter = std::get_if<Scatter>(&op)) {
        ValueId wanted = slices.reduce_slices(Op::bit_or, *slices.mask());
        const Type places{Scalar::boolean, slices.type(scatter->indices[0]).shape};
        if (places.rank() > 0) wanted = slices.emit(View{wanted, Broadcast{}, {}}, {places});
        for (ValueId& index : scatter->indices) index = masked_index(slices, index, scatter->drops.has_value(), wanted);
        scatter->drops = scatter->drops.value_or(0);
    }
    FunctionPart part = function_of(op);
    if (!part || opt::is_speculative(part.fn->body)) return;
    Relation relation = Relation::keep(*part.fn);
    relation.mask = relation.add(Scalar::boolean);
    *part.fn = lift_function(*part.fn, relation);
    part.captures->scalars.push_back(slices.reduce_slices(Op::bit_or, *slices.mask()));
}

Map as_map(const Gather& gather, const Types& types) {
    std::vector<ArrayParam> arrays;
    for (const Type& type : types) arrays.push_back({type.scalar, gather.indices.size()});
    return {read_all(std::move(arrays)), gather.indices, {{}, gather.sources}, false};
}

ValueId masked_index(Slices& slices, ValueId index, bool drops, ValueId wanted) {
    const Shape shape = slices.type(index).shape;
    auto everywhere = [&](std::int64_t value) {
        return slices.emit(View{slices.constant(Scalar::i64, static_cast<std::uint64_t>(value)), Broadcast{}, {}},
                           {{Scalar::i64, shape}});
    };
    ValueId dropped = everywhere(-1);
    if (!drops) {
        ValueId wrong = slices.apply(Op::equal, {index, dropped}, Scalar::boolean);
        index = slices.apply(Op::select, {wrong, everywhere(-2), index}, Scalar::i64);
    }
    return slices.apply(Op::select, {wanted, index, dropped}, Scalar::i64);
}

}  // namespace sinter::enable
