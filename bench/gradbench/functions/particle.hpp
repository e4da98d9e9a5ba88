// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A charged particle flies past two charges, one of which is moved so that the particle hits the origin.
#pragma once

#include "descent.hpp"

namespace gradbench {

/// The square of the place where the particle falls to height 0. The force is the gradient of the potential in this mode.
template <Mode M>
Real miss(Real w) {
    auto inverse_distance = [](Point<2> a, Real x, Real y) {
        return 1.0 / sqrt((a[0] - x) * (a[0] - x) + (a[1] - y) * (a[1] - y));
    };
    auto potential = [=](Point<2> at) { return inverse_distance(at, 10.0, 10.0 - w) + inverse_distance(at, 10.0, 0.0); };
    const Real tick = 0.1;
    auto flies = [](Point<2>, Point<2>, Exp<bool> above) { return above; };
    auto fly = [=](Point<2> at, Point<2> velocity, Exp<bool>) {
        const Point<2> next = moved<2>(at, tick, velocity);
        auto on = [=] {
            const Point<2> faster = moved<2>(velocity, -tick, gradient<M, 2>(potential, at));
            return std::tuple(next, faster, Exp<bool>(true));
        };
        return cond(next[1] > 0.0, on, [=] { return std::tuple(at, velocity, Exp<bool>(false)); });
    };
    const Point<2> start = Coordinates<2>{0.0, 8.0}, speed = Coordinates<2>{0.75, 0.0};
    auto [at, velocity, above] = while_loop(flies, fly, start, speed, Exp<bool>(true));
    const Real place = at[0] - at[1] / velocity[1] * velocity[0];
    return place * place;
}

/// The place of the charge. Outer: the mode of the descent; Inner: that of the force.
template <Mode Outer, Mode Inner>
Real particle(Real start) {
    return argmin<Outer, 1>([](Point<1> w) { return miss<Inner>(w[0]); }, Point<1>(Coordinates<1>{start}))[0];
}

}  // namespace gradbench
