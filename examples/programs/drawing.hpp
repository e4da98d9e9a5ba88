// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What pictures of data consist of: colours, dots and lines, as functions of pixels.
#pragma once

#include <sinter/sinter.hpp>

namespace programs {

/// A colour's part of channel 0 (red), 1 (green) or 2 (blue).
inline sinter::Exp<std::int64_t> colour(sinter::Exp<std::int64_t> channel, std::int64_t red, std::int64_t green,
                                        std::int64_t blue) {
    return select(channel == 0, red, select(channel == 1, green, blue));
}

/// An image of which these pixels, (row, column), and those next to them are set. What lies outside is not drawn.
inline sinter::Delayed<bool, 2> dots(const sinter::Delayed<std::tuple<std::int64_t, std::int64_t>>& places,
                                     std::int64_t rows, std::int64_t columns) {
    using namespace sinter;
    const auto set = map([](auto, auto) { return Exp<bool>(true); }, places);
    const auto points = scatter(fill(shape(rows, columns), false), places, set, Outside::drop);
    return stencil([](auto s) { return s(0, 0) || s(-1, 0) || s(1, 0) || s(0, -1) || s(0, 1); }, boundary::clamp, points);
}

}  // namespace programs
