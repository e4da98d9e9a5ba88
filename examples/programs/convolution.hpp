// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Convolution of an image with a large kernel, by Fourier transforms: the transform of a convolution is the product of the
/// transforms.
#pragma once

#include "common.hpp"

#include <sinter/fft.hpp>

namespace programs {

/// image(i, j) is replaced by the sum of kernel(k, l) image(i - k, j - l), indices around the edges. One shape, known here.
inline Delayed<double, 2> convolved(const Array<double, 2>& image, const Array<double, 2>& kernel) {
    return map([](auto z) { return real(z); }, ifft2(fft2(image) * fft2(kernel)));
}

/// What a lens out of focus makes of a point: a disc, around the corner (0, 0), of total 1.
inline Array<double, 2> disc(std::int64_t rows, std::int64_t columns, double radius) {
    auto inside = generate(shape(rows, columns), [=](auto i, auto j) {
        auto y = cast<double>(min(i, rows - i)), x = cast<double>(min(j, columns - j));
        return select(x * x + y * y <= radius * radius, 1.0, 0.0);
    });
    return run(inside / sum(inside, axes(0, 1), keep));
}

/// A chessboard with a bright point.
inline Array<double, 2> chessboard(std::int64_t rows, std::int64_t columns) {
    return run(generate(shape(rows, columns), [=](auto i, auto j) {
        auto field = select((i / 16 + j / 16) % 2 == 0, 0.8, 0.1);
        return select(i == rows / 2 && j == columns / 2, 60.0, field);
    }));
}

}  // namespace programs
