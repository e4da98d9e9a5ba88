// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// k nearest neighbours: the class of a point is that of most of the k known points next to it.
#pragma once

#include "common.hpp"
#include "drawing.hpp"

#include <sinter/linalg.hpp>
#include <sinter/numeric.hpp>

namespace programs {

/// Known points of the plane, and their classes: 0, 1, ...
struct Sample {
    Array<double, 2> points;  ///< one row a point
    Array<std::int64_t> classes;
};

/// `n` points in three spirals.
inline Sample spirals(std::int64_t n) {
    auto place = generate(shape(n, 2), [=](auto i, auto axis) {
        auto radius = 0.1 + 0.9 * unit64(3, i);
        auto angle = radius * 5.0 + cast<double>(i % 3) * (6.283185307179586 / 3) + 0.25 * symmetric64(4, i);
        return radius * select(axis == 0, sin(angle), cos(angle));
    });
    return {run(place), run(map([](auto i) { return i % 3; }, iota(n)))};
}

/// Squared distances of the known points to (y, x).
inline Delayed<double> distances(const Array<double, 2>& points, Exp<double> y, Exp<double> x) {
    return vmap(
        [=](Delayed<double> p) {
            auto dy = p(0) - y, dx = p(1) - x;
            return dy * dy + dx * dx;
        },
        points);
}

/// The class of the place (y, x): of equally frequent ones the first.
inline Exp<std::int64_t> classify(const Sample& known, std::int64_t k, std::int64_t classes, Exp<double> y, Exp<double> x) {
    const auto [greatest, indices] = top_k(-distances(known.points, y, x), k);
    const auto near = gather(indices, known.classes);
    const auto votes = vmap([=](auto c) { return count(map([=](auto of) { return of == c; }, near))(); }, iota(classes));
    return argmax(votes)();
}

/// The class of every pixel of a square from -1 to 1.
inline Delayed<std::int64_t, 2> class_map(const Sample& known, std::int64_t k, std::int64_t classes, std::int64_t size) {
    auto place = [=](auto i) { return (2.0 * cast<double>(i) + 1.0) / static_cast<double>(size) - 1.0; };
    return vmap(
        [=](auto i) { return vmap([=](auto j) { return classify(known, k, classes, place(i), place(j)); }, iota(size)); },
        iota(size));
}

/// The classes of the pixels as light colours, the known points as dots.
inline auto picture_of_classes(const Array<std::int64_t, 2>& found, const Sample& known, std::int64_t size) {
    auto pixel = [=](auto v) { return cast<std::int64_t>((v + 1.0) / 2.0 * static_cast<double>(size)); };
    const auto places = map([=](auto y, auto x) { return std::tuple(pixel(y), pixel(x)); }, column(known.points, 0),
                            column(known.points, 1));
    const auto points = dots(places, size, size);
    return generate(shape(size, size, 3), [=](auto i, auto j, auto channel) {
        const auto light = select(found(i, j) == channel, Exp<std::int64_t>(240), 190);
        return cast<std::uint8_t>(select(points(i, j), light - 150, light));
    });
}

}  // namespace programs
