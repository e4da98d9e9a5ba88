// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views: index functions do not touch the outermost axis.
#include "enable/lift/lift_rules.hpp"
#include "enable/slices/lift_function.hpp"
#include "ir/builder.hpp"
#include "support/match.hpp"

#include <utility>

namespace sinter::enable {

using namespace ir;

namespace {

std::vector<std::size_t> under_outermost(const std::vector<std::size_t>& axes) {
    std::vector<std::size_t> lifted{0};
    for (std::size_t axis : axes) lifted.push_back(axis + 1);
    return lifted;
}

/// `zero` is the size 0.
IndexFunction lifted_function(const IndexFunction& function, SizeId zero) {
    return match(
        function, [](const Transpose& f) -> IndexFunction { return Transpose{under_outermost(f.axes)}; },
        [&](Slice f) -> IndexFunction {
            f.start.insert(f.start.begin(), zero);
            f.step.insert(f.step.begin(), 1);
            return f;
        },
        [](const Broadcast& f) -> IndexFunction { return Broadcast{under_outermost(f.axes)}; },
        [](const Reshape& f) -> IndexFunction { return f; },
        [](Shift f) -> IndexFunction {
            f.offset.insert(f.offset.begin(), 0);
            return f;
        });
}

/// A slice leaves its argument at the points where the same slice of `true`, padded with `false`, is false.
ValueId filled_per_slice(Slices& slices, View pad, ValueId fill, const Type& result) {
    Type everywhere{Scalar::boolean, slices.type(pad.arg).shape};
    ValueId yes = slices.constant(Scalar::boolean, 1), no = slices.constant(Scalar::boolean, 0);
    ValueId all = slices.emit(View{yes, Broadcast{}, {}}, {everywhere});
    ValueId inside = slices.emit(View{all, pad.function, no}, {{Scalar::boolean, result.shape}});
    pad.fill = slices.constant(result.scalar, 0);
    ValueId padded = slices.emit(std::move(pad), {result});
    return slices.apply(Op::select, {inside, padded, slices.spread(fill, result.shape)}, result.scalar);
}

/// {slice, i.., starts.. -> the element of array 0 at [slice,] start + i * step; `otherwise`, the last parameter, if that is
/// outside}
Fn read_window(const ArrayParam& array, bool per_slice, const std::vector<std::int64_t>& steps, bool filled, Scalar scalar) {
    const std::size_t rank = steps.size();
    BlockBuilder builder;
    std::vector<Scalar> params(1 + 2 * rank, Scalar::i64);
    if (filled) params.push_back(scalar);
    builder.open(params);
    Inst read{Op::read, {scalar}, 0, {}, {}};
    if (per_slice) read.operands.push_back(Local(0));
    Local inside;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        Local index = Local(1 + axis);
        if (steps[axis] != 1) index = builder.emit(Op::mul, {index, builder.constant_index(steps[axis])});
        index = builder.emit(Op::add, {index, Local(1 + rank + axis)});
        const Local extent =
            builder.emit(Inst{Op::extent, {Scalar::i64}, extent_bits({0, axis + (per_slice ? 1 : 0)}), {}, {}});
        if (!filled) {
            // A guard reports a window that leaves the array.
            const Local last = builder.emit(Op::sub, {extent, builder.constant_index(1)});
            index = builder.emit(Op::maximum, {builder.emit(Op::minimum, {index, last}), builder.constant_index(0)});
        }
        read.operands.push_back(index);
        if (!filled) continue;
        const Local here = builder.emit(Op::inside, {index, extent});
        inside = axis == 0 ? here : builder.emit(Op::bit_and, {inside, here});
    }
    if (!filled) {
        const Local element = builder.emit(std::move(read));
        return {{array}, builder.close({element})};
    }
    Inst cond{Op::cond, {scalar}, 0, {inside}, {}};
    builder.open({});
    const Local element = builder.emit(std::move(read));
    cond.blocks.push_back(builder.close({element}));
    builder.open({});
    cond.blocks.push_back(builder.close({Local(1 + 2 * rank)}));
    const Local chosen = builder.emit(std::move(cond));
    return {{array}, builder.close({chosen})};
}

/// Slices whose start differs from slice to slice of the vmap: each element is read.
void lift_window(Slices& slices, const View& view, const Slice& slice, const Type& result) {
    const Slices::Operand source = slices.use(view.arg);
    const Type from = slices.type(source.id);
    Map map{read_window({from.scalar, from.rank()}, source.batched, slice.step, view.fill.has_value(), result.scalar),
            {},
            {{}, {source.id}},
            true};
    for (SizeId start : slice.start) map.args.push_back(slices.spread(slices.batched(slices.scalar(start)), result.shape));
    if (view.fill) map.args.push_back(slices.spread(slices.batched(slices.use(*view.fill)), result.shape));
    slices.define_batched(slices.emit(std::move(map), {result}), 1);
}

}  // namespace

void lift_view(Slices& slices, const View& view, const Types& types) {
    if (const auto* slice = std::get_if<Slice>(&view.function))
        for (SizeId start : slice->start)
            if (slices.varies(start)) return lift_window(slices, view, *slice, types[0]);
    ArrayOp renamed = view;
    for_each_size(renamed, [&](SizeId& start) { start = slices.rename(start); });
    View made{slices.batched(slices.use(view.arg)),
              lifted_function(std::get<View>(std::move(renamed)).function, slices.sizes().constant(0)), std::nullopt};
    if (view.fill && slices.is_batched()(*view.fill))
        return slices.define_batched(filled_per_slice(slices, std::move(made), slices.rename(*view.fill), types[0]), 1);
    if (view.fill) made.fill = slices.rename(*view.fill);
    slices.define_batched(slices.emit(std::move(made), types), 1);
}

}  // namespace sinter::enable
