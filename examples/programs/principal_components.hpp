// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Principal components: the directions in which data vary most, eigenvectors of the covariance.
#pragma once

#include "common.hpp"

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

/// How many points lie in each pixel, 8-bit: white is none. Coordinates between -20 and 20.
inline auto picture_of_points(Delayed<double> y, Delayed<double> x, std::int64_t size) {
    const auto pixel = [=](auto v) { return cast<std::int64_t>(floor((v + 20.0) / 40.0 * static_cast<double>(size))); };
    const auto places = map([=](auto a, auto b) { return std::tuple(pixel(a), pixel(b)); }, y, x);
    const auto ones = map([](auto) { return Exp<std::int64_t>(1); }, x);
    const auto counts = scatter(std::plus<>{}, fill(shape(size, size), std::int64_t{0}), places, ones, Outside::drop);
    return map([](auto n) { return cast<std::uint8_t>(max(255 - n * 40, Exp<std::int64_t>(0))); }, counts);
}

}  // namespace programs
