// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An initial value problem: y_0' = x_0, y_i' = x_i y_(i-1), y(0) = 0, up to time 2 by the classical Runge-Kutta method.
#pragma once

#include "common.hpp"

namespace gradbench {

/// y after these steps.
inline Vector solution(Vector x, Index steps) {
    auto slope = [=](Vector y) { return x * stencil([](auto s) { return s(-1); }, boundary::constant(1.0), y); };
    const Real h = 2.0 / cast<double>(steps);
    auto step = [=](Index, Vector y) {
        const Vector k1 = slope(y);
        const Vector k2 = slope(y + h * k1 / 2.0);
        const Vector k3 = slope(y + h * k2 / 2.0);
        const Vector k4 = slope(y + h * k3);
        return y + h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
    };
    return for_loop(steps, step, x * 0.0);
}

/// The last component of y.
inline Real last_of_solution(Vector x, Index steps) {
    const Vector y = solution(x, steps);
    return y(size(y) - 1);
}

}  // namespace gradbench
