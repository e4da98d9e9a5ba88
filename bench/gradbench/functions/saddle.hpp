// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A saddle point: the minimum over x of the maximum over y.
#pragma once

#include "descent.hpp"

namespace gradbench {

/// x and y. Outer: the mode of the descent over x and of the last ascent; Inner: that of the ascents on the way.
template <Mode Outer, Mode Inner>
Point<4> saddle(Point<2> start) {
    auto height = [](Point<2> x, Point<2> y) { return x[0] * x[0] + x[1] * x[1] - (y[0] * y[0] + y[1] * y[1]); };
    auto highest = [=](Point<2> x) {
        auto of_y = [=](Point<2> y) { return height(x, y); };
        return of_y(argmax<Inner, 2>(of_y, start));
    };
    const Point<2> x = argmin<Outer, 2>(highest, start);
    const Point<2> y = argmax<Outer, 2>([=](Point<2> y) { return height(x, y); }, start);
    return Coordinates<4>{x[0], x[1], y[0], y[1]};
}

}  // namespace gradbench
