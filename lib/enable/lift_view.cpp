// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views: index functions leave the outermost axis alone.
#include "enable/lifter.hpp"
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

}  // namespace

void Lifter::lift_view(const View& view, const std::vector<Type>& types) {
    ArrayOp renamed = view;
    for_each_size(renamed, [&](SizeId& start) { start = rename(start); });
    View made{batched(use(view.arg)), lifted_function(std::get<View>(std::move(renamed)).function, sizes().constant(0)),
              std::nullopt};
    if (view.fill && batched_(*view.fill))
        return define_batched(filled_per_slice(std::move(made), rename(*view.fill), types[0]), 1);
    if (view.fill) made.fill = rename(*view.fill);
    define_batched(emit(std::move(made), types), 1);
}

/// A slice leaves its argument where the same slice of `true`, padded with `false`, is false.
ValueId Lifter::filled_per_slice(View pad, ValueId fill, const Type& result) {
    Type everywhere{Scalar::boolean, type(pad.arg).shape};
    ValueId yes = constant(Scalar::boolean, 1), no = constant(Scalar::boolean, 0);
    ValueId all = emit(View{yes, Broadcast{}, {}}, {everywhere});
    ValueId inside = emit(View{all, pad.function, no}, {{Scalar::boolean, result.shape}});
    pad.fill = constant(result.scalar, 0);
    ValueId padded = emit(std::move(pad), {result});
    return apply(Op::select, {inside, padded, spread(fill, result.shape)}, result.scalar);
}

}  // namespace sinter::enable
