// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/slices/outer_slice.hpp"

#include "enable/slices/lift_function.hpp"

namespace sinter::enable {

using namespace ir;

ValueId outer_slice(SizeTable& sizes, const Emit& emit, ValueId array, ValueId position, Type inner) {
    Type one = inner;
    one.shape.insert(one.shape.begin(), sizes.constant(1));
    Slice slice{std::vector<SizeId>(one.rank(), sizes.constant(0)), std::vector<std::int64_t>(one.rank(), 1)};
    slice.start[0] = sizes.value(position);
    const ValueId part = emit(View{array, std::move(slice), {}}, {std::move(one)});
    return emit(View{part, Reshape{}, {}}, {inner});
}

/// A scalar is written as one element of rank 1.
ValueId store_outer_slice(SizeTable& sizes, const Emit& emit, ValueId to, Type whole, ValueId position, ValueId value,
                          Type inner) {
    Shape shape = inner.shape;
    const bool scalar = shape.empty();
    if (scalar) {
        shape = {sizes.constant(1)};
        value = emit(View{value, Reshape{}, {}}, {{inner.scalar, shape}});
    }
    const Fn at_position = index_fn(shape.size() + 1, shape.size());
    std::vector<ValueId> indices{emit(Map{at_position, {}, {{position}, {}}, true}, {{Scalar::i64, shape}})};
    for (std::size_t axis = 0; !scalar && axis < shape.size(); ++axis)
        indices.push_back(emit(Map{index_fn(shape.size(), axis), {}, {}, true}, {{Scalar::i64, shape}}));
    return emit(Scatter{{}, {to}, std::move(indices), {value}, {}, {}}, {whole});
}

ValueId with_type(const Emit& emit, ValueId id, const Type& is, const Type& wanted) {
    return is.shape == wanted.shape ? id : emit(View{id, Reshape{}, {}}, {wanted});
}

}  // namespace sinter::enable
