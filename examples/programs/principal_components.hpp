// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Principal components: the directions in which data vary most, eigenvectors of the covariance.
#pragma once

#include "common.hpp"
#include "drawing.hpp"

#include <sinter/linalg.hpp>
#include <sinter/random.hpp>

namespace programs {

/// `n` points of the space: normal, with deviations 5, 2, 1/2 along axes that are turned by 0.6 around the third.
inline Array<double, 2> cigar(std::int64_t n) {
    const auto straight = normal<double>(key(5), shape(n, 3)) * broadcast(from({5., 2., 0.5}), shape(n, 3), axis(1));
    const double c = std::cos(0.6), s = std::sin(0.6);
    const Array<double, 2> turn = from({c, s, 0., -s, c, 0., 0., 0., 1.}, shape(3, 3));
    return run(matmul(straight, turn) + 10.0);
}

/// Deviations along the principal directions, ascending; the directions as columns; the points in these coordinates.
inline auto principal_components(Delayed<double, 2> points) {
    const auto centred = points - mean(points, axis(0), keep);
    const auto covariance = matmul(transpose(centred), centred) / cast<double>(extent(points, 0) - 1);
    const auto [variances, directions] = eigh(covariance);
    return std::tuple(sqrt(variances), directions, matmul(centred, directions));
}

/// The first two coordinates of points, up to 15 from the middle, as dots, and the two longest axes of the cloud, two
/// deviations to each side.
inline auto picture_of_points(Delayed<double, 2> centred, Delayed<double> deviations, Delayed<double, 2> directions,
                              std::int64_t size) {
    const double scale = static_cast<double>(size) / 30.0;
    const auto pixel = [=](auto v) { return cast<std::int64_t>(floor((v + 15.0) * scale)); };
    const auto places =
        map([=](auto y, auto x) { return std::tuple(pixel(-y), pixel(x)); }, column(centred, 1), column(centred, 0));
    const auto points = dots(places, size, size);
    return generate(shape(size, size, 3), [=](auto i, auto j, auto channel) {
        const auto x = cast<double>(j) / scale - 15.0, y = 15.0 - cast<double>(i) / scale;
        const auto on_axis = [=](std::int64_t k) {
            const auto along = x * directions(0, k) + y * directions(1, k),
                       aside = x * directions(1, k) - y * directions(0, k);
            return abs(aside) * scale < 1.5 && abs(along) < 2.0 * deviations(k);
        };
        const auto cloud = select(points(i, j), colour(channel, 130, 160, 205), 255);
        return cast<std::uint8_t>(select(on_axis(2) || on_axis(1), colour(channel, 200, 50, 45), cloud));
    });
}

}  // namespace programs
