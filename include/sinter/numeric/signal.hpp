// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integrals of samples, convolutions.
#pragma once

#include <sinter/combinators/pad.hpp>
#include <sinter/control.hpp>
#include <sinter/numeric/spread.hpp>

namespace sinter {

namespace detail {

/// Whole numbers become double.
template <ArrayLike A>
auto fractions(const A& a) {
    if constexpr (std::is_integral_v<element_t<A>>)
        return cast<double>(a);
    else
        return Delayed<element_t<A>, rank_v<A>>(a);
}
template <ArrayLike A>
using fraction_t = std::conditional_t<std::is_integral_v<element_t<A>>, double, element_t<A>>;

}  // namespace detail

/// The trapezoidal rule for samples at a distance of dx, along the innermost axis or another. Integers become double.
template <ArrayLike A>
auto trapezoid(const A& y, detail::fraction_t<A> dx = 1, Axes<1> along = axis(-1), location where = location::current()) {
    const auto mean_height = [](const auto& left, const auto& right) { return (left + right) / 2; };
    const auto heights = detail::fractions(y);
    const auto areas = map(mean_height, drop(heights, 1, along, where), detail::drop_last(heights, 1, along, where));
    return sum(areas, along, where) * dx;
}
template <ArrayLike A>
auto trapezoid(const A& y, Axes<1> along, location where = location::current()) {
    return trapezoid(y, 1, along, where);
}
/// The same for samples at x, which has the same shape.
template <ArrayLike A, ArrayLike X>
auto trapezoid(const A& y, const X& x, Axes<1> along = axis(-1), location where = location::current()) {
    const auto area = [](const auto& left, const auto& right, const auto& width) { return (left + right) / 2 * width; };
    const auto heights = detail::fractions(y);
    const auto widths = diff(detail::fractions(x), along, where);
    return sum(map(area, drop(heights, 1, along, where), detail::drop_last(heights, 1, along, where), widths), along, where);
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
