// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The sum of squared distances from points to the nearest of some centres, and a step of Newton's method for it.
#pragma once

#include "common.hpp"

namespace gradbench {

inline Scalar cost(Matrix centres, Matrix points) {
    auto squared = [](Vector a, Vector b) {
        const Vector difference = a - b;
        return sum(difference * difference);
    };
    auto nearest = [=](Vector point) { return min(vmap([=](Vector c) { return squared(c, point); }, centres)); };
    return sum(vmap(nearest, points));
}

/// The gradient divided by the diagonal of the Hessian, which has no other elements.
inline Matrix newton_step(Matrix centres, Matrix points) {
    const Matrix ones = generate(shape(extent(centres, 0), extent(centres, 1)), [](Index, Index) { return 1.0; });
    auto gradient = [=](Matrix c) { return grad(cost)(c, points); };
    auto [slope, curvature] = jvp(gradient, primals(centres), tangents(ones));
    return slope / curvature;
}

}  // namespace gradbench
