// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the edges of a picture: grey, Gaussian blur of 5 x 5 by rows and then columns, Sobel's gradient, its magnitude, a
/// threshold. Every value up to the gradient is exactly representable.
#pragma once

#include "common.hpp"

namespace programs {

using Colour = std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>;
using Plane = Delayed<float, 2>;

inline Delayed<std::int32_t, 2> grey(Delayed<Colour, 2> image) {
    return map(
        [](auto r, auto g, auto b) {
            return (77 * cast<std::int32_t>(r) + 150 * cast<std::int32_t>(g) + 29 * cast<std::int32_t>(b)) >> 8;
        },
        image);
}

inline Plane blur(Plane image) {
    auto weigh = [](auto s) { return (s(-2) + 4.f * s(-1) + 6.f * s(0) + 4.f * s(1) + s(2)) / 16.f; };
    auto rows = stencil([=](auto s) { return weigh([=](int d) { return s(0, d); }); }, boundary::clamp, image);
    return stencil([=](auto s) { return weigh([=](int d) { return s(d, 0); }); }, boundary::clamp, rows);
}

/// Derivatives along the rows and along the columns.
inline Delayed<std::tuple<float, float>, 2> gradient(Plane image) {
    return stencil(
        [](auto s) {
            auto x = (s(-1, 1) + 2.f * s(0, 1) + s(1, 1)) - (s(-1, -1) + 2.f * s(0, -1) + s(1, -1));
            auto y = (s(1, -1) + 2.f * s(1, 0) + s(1, 1)) - (s(-1, -1) + 2.f * s(-1, 0) + s(-1, 1));
            return std::tuple(x, y);
        },
        boundary::clamp, image);
}

inline Plane blurred(Delayed<Colour, 2> image) {
    return blur(map([](Exp<std::int32_t> g) { return cast<float>(g); }, grey(image)));
}
inline Plane magnitude(Delayed<Colour, 2> image) {
    return map([](auto x, auto y) { return sqrt(x * x + y * y); }, gradient(blurred(image)));
}

/// 255 where there is an edge, else 0.
inline Delayed<std::uint8_t, 2> edges(Delayed<Colour, 2> image) {
    return map([](Exp<float> m) { return select(m >= 100.f, Exp<std::uint8_t>(255), 0); }, magnitude(image));
}
/// The same with |x| + |y| as the magnitude.
inline Delayed<std::uint8_t, 2> edges_by_sum(Delayed<Colour, 2> image) {
    return map([](auto x, auto y) { return select(abs(x) + abs(y) >= 120.f, Exp<std::uint8_t>(255), 0); },
               gradient(blurred(image)));
}

inline Array<Colour, 2> test_image(std::int64_t height, std::int64_t width) {
    return run(generate(shape(height, width), [=](Exp<std::int64_t> i, Exp<std::int64_t> j) {
        return std::tuple(cast<std::uint8_t>((i * i / 7 + 3 * j) % 256),
                          cast<std::uint8_t>(select((i / 16 + j / 16) % 2 == 1, Exp<std::int64_t>(255), 32)),
                          cast<std::uint8_t>(below(61, i * width + j, 64)));
    }));
}

}  // namespace programs
