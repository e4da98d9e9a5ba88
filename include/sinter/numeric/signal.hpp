// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integrals of samples, convolutions.
#pragma once

#include <sinter/combinators/pad.hpp>
#include <sinter/control.hpp>
#include <sinter/numeric/spread.hpp>

namespace sinter {

/// The trapezoidal rule for samples at a distance of dx.
template <ArrayLike A>
    requires std::is_floating_point_v<element_t<A>>
auto trapezoid(const A& y, element_t<A> dx = 1, location where = location::current()) {
    const auto mean_height = [](const auto& left, const auto& right) { return (left + right) / 2; };
    const auto areas = map(mean_height, drop(y, 1, axis(-1), where), detail::drop_last(y, 1, axis(-1), where));
    return sum(areas, axis(-1), where) * dx;
}
/// The same for samples at x, which has the same shape.
template <ArrayLike A, ArrayLike X>
auto trapezoid(const A& y, const X& x, location where = location::current()) {
    const auto area = [](const auto& left, const auto& right, const auto& width) { return (left + right) / 2 * width; };
    return sum(map(area, drop(y, 1, axis(-1), where), detail::drop_last(y, 1, axis(-1), where), diff(x, axis(-1), where)),
               axis(-1), where);
}

/// Element i is the sum of a[i + k] v[k] over all k, for the positions at which v lies within a, so that the result has
/// size(v) - 1 elements fewer.
template <ArrayLike A, class T>
auto correlate(const A& a, const Array<T>& v, location where = location::current()) {
    static_assert(rank_v<A> == 1 && std::is_same_v<T, element_t<A>>, "correlate: arrays of rank 1 and of one element type");
    if (v.size(where) == 0) throw ShapeError("correlate: the second array has no elements", where);
    const Delayed<T> source(a);
    auto element = [&](Exp<std::int64_t> i, Exp<T>) {
        auto add = [&](Exp<std::int64_t> k, Exp<T> total) { return total + source(i + k) * v(k); };
        return for_loop(extent(v, 0), add, T{});
    };
    return map_indexed(element, detail::drop_last(source, v.size(where) - 1, axis(0), where));
}

/// Element i is the sum of a[i - k] v[k] over all k: size(a) + size(v) - 1 elements.
template <ArrayLike A, class T>
auto convolve(const A& a, const Array<T>& v, location where = location::current()) {
    static_assert(rank_v<A> == 1 && std::is_same_v<T, element_t<A>>, "convolve: arrays of rank 1 and of one element type");
    const std::int64_t m = v.size(where);
    if (m == 0) throw ShapeError("convolve: the second array has no elements", where);
    const Delayed<T> source = pad(a, {{m - 1, m - 1}}, T{}, where);
    auto element = [&](Exp<std::int64_t> i, Exp<T>) {
        auto add = [&](Exp<std::int64_t> k, Exp<T> total) { return total + source(i + (extent(v, 0) - 1 - k)) * v(k); };
        return for_loop(extent(v, 0), add, T{});
    };
    return map_indexed(element, detail::drop_last(source, m - 1, axis(0), where));
}

}  // namespace sinter
