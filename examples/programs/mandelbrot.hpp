// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The Mandelbrot set: a loop inside generate whose length differs from point to point.
#pragma once

#include "common.hpp"

namespace programs {

/// The part of the plane that is shown, and when to stop.
template <class Real>
struct View {
    Real x, y, width;  ///< the middle
    std::int32_t limit;
    Real radius;
};
template <class Real>
inline constexpr View<Real> whole_set{Real(-0.7), 0, Real(3.067), 100, 16};

/// The number of rounds until |z| reaches the radius, for every pixel; `limit` inside the set.
template <class Real>
Delayed<std::int32_t, 2> escape_times(const View<Real>& view, std::int64_t width, std::int64_t height) {
    const Real w = static_cast<Real>(width), h = static_cast<Real>(height);
    const Real left = view.x - view.width / 2, right = view.x + view.width / 2;
    const Real view_height = 1 / (w / h) * view.width, top = view.y - view_height / 2, bottom = view.y + view_height / 2;
    using Number = Exp<Real>;
    using Count = Exp<std::int32_t>;
    return generate(shape(height, width), [=](Exp<std::int64_t> i, Exp<std::int64_t> j) {
        const Number cr = left + cast<Real>(j) * (right - left) / w, ci = top + cast<Real>(i) * (bottom - top) / h;
        auto [n, re, im] = while_loop(
            [=](Count k, Number zr, Number zi) { return k < view.limit && zr * zr + zi * zi < view.radius * view.radius; },
            [=](Count k, Number zr, Number zi) {
                return std::tuple(k + 1, cr + (zr * zr - zi * zi), ci + (zr * zi + zi * zr));
            },
            Count(0), cr, ci);
        return n;
    });
}

}  // namespace programs
