// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Connected regions of an image: every pixel gets the least number of the pixels of its region. Each round takes the least
/// label of the neighbours, then follows labels to their labels, which halves the length of the way that is left (Shiloach
/// and Vishkin, An O(log n) Parallel Connectivity Algorithm, 1982).
#pragma once

#include "common.hpp"

namespace programs {

using Labels = Delayed<std::int64_t, 2>;

/// Holes in a plate: true where a smooth random function is positive.
inline Array<bool, 2> blots(std::int64_t rows, std::int64_t columns) {
    return run(generate(shape(rows, columns), [=](auto i, auto j) {
        auto y = cast<double>(i) * 0.1, x = cast<double>(j) * 0.1;
        return sin(y * 1.3 + cos(x)) + sin(x * 1.7 + 2.0 * cos(y * 0.7)) + 0.3 * sin(5.0 * x * y / (1.0 + x + y)) > 0.15;
    }));
}

/// Of each pixel that is set the number of the first of its region; -1 elsewhere. Neighbours share an edge.
inline Labels regions(Delayed<bool, 2> image) {
    const auto rows = extent(image, 0), columns = extent(image, 1);
    const auto outside = rows * columns;
    const auto least_near = [=](Labels labels) {
        auto next = stencil([](auto s) { return min(min(min(s(-1, 0), s(1, 0)), min(s(0, -1), s(0, 1))), s(0, 0)); },
                            boundary::clamp, labels);
        return map([=](auto set, auto label) { return select(set, label, outside); }, image, next);
    };
    const auto followed = [=](Labels labels) {
        return map(
            [=](auto label) {
                auto safe = select(label < outside, label, 0);
                return select(label < outside, labels(safe / columns, safe % columns), label);
            },
            labels);
    };
    auto step = [=](Labels labels, Exp<bool>) {
        auto next = followed(followed(least_near(labels)));
        return std::tuple(next, any(flatten(map([](auto a, auto b) { return a != b; }, labels, next)))());
    };
    auto own = map_indexed([=](auto i, auto j, auto set) { return select(set, i * columns + j, outside); }, image);
    const Labels labels = std::get<0>(while_loop([](Labels, Exp<bool> changed) { return changed; }, step, own, true));
    return map([=](auto label) { return select(label < outside, label, -1); }, labels);
}

}  // namespace programs
