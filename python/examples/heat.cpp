// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat in a plate, as heat.py calls it.
#include <sinter/python.hpp>

using namespace sinter;

/// The plate after some steps of time, and the largest change in the last one. The border keeps its temperature.
auto heat(Delayed<float, 2> plate, Exp<float> rate, Exp<std::int64_t> steps) {
    auto step = [=](Exp<std::int64_t>, Delayed<float, 2> t, Delayed<float, 0>) {
        auto change = stencil([=](auto s) { return rate * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1) - 4.f * s(0, 0)); },
                              boundary::clamp, t);
        auto next = map_indexed(
            [=](auto i, auto j, auto d) {
                auto is_border = i == 0 || j == 0 || i == extent(t, 0) - 1 || j == extent(t, 1) - 1;
                return select(is_border, 0.f, d);
            },
            change);
        return std::tuple(t + next, max(abs(next), axes(0, 1)));
    };
    return for_loop(steps, step, plate, fill(shape(), 0.f));
}

SINTER_PYTHON_MODULE(plate, heat)
