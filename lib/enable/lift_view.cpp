// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views: index functions leave the outermost axis alone.
#include "enable/lift_function.hpp"
#include "enable/lift_rules.hpp"
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

/// A slice leaves its argument where the same slice of `true`, padded with `false`, is false.
ValueId filled_per_slice(Slices& slices, View pad, ValueId fill, const Type& result) {
    Type everywhere{Scalar::boolean, slices.type(pad.arg).shape};
    ValueId yes = slices.constant(Scalar::boolean, 1), no = slices.constant(Scalar::boolean, 0);
    ValueId all = slices.emit(View{yes, Broadcast{}, {}}, {everywhere});
    ValueId inside = slices.emit(View{all, pad.function, no}, {{Scalar::boolean, result.shape}});
    pad.fill = slices.constant(result.scalar, 0);
    ValueId padded = slices.emit(std::move(pad), {result});
    return slices.apply(Op::select, {inside, padded, slices.spread(fill, result.shape)}, result.scalar);
}

}  // namespace

void lift_view(Slices& slices, const View& view, const Types& types) {
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
