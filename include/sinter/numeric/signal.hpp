// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integrals and slopes of samples, convolutions, angles.
#pragma once

#include <sinter/combinators/pad.hpp>
#include <sinter/control.hpp>
#include <sinter/numeric/division.hpp>
#include <sinter/numeric/spread.hpp>

#include <limits>
#include <string>

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

/// Which positions of a second array beside the first convolve and correlate have: all at which the two overlap; as many as
/// the first array has elements, in the middle of these; those at which the second lies within the first.
enum class Overlap { full, same, valid };

namespace detail {

/// Element i is the sum of a[i + k - before] v[k] over all k, where a is followed and preceded by zeros. With backwards, v
/// is read from its end.
template <ArrayLike A, class T>
auto sliding_sums(const char* what, const A& a, const Array<T>& v, Overlap overlap, bool backwards, location where) {
    static_assert(rank_v<A> == 1 && std::is_same_v<T, element_t<A>>, "arrays of rank 1 and of one element type");
    const std::int64_t m = v.size(where);
    if (m == 0) throw ShapeError(std::string(what) + ": the second array has no elements", where);
    const std::int64_t before = overlap == Overlap::full ? m - 1 : overlap == Overlap::same ? m / 2 : 0;
    const std::int64_t after = overlap == Overlap::full ? m - 1 : overlap == Overlap::same ? (m - 1) / 2 : 0;
    const Delayed<T> source = overlap == Overlap::valid ? Delayed<T>(a) : Delayed<T>(pad(a, {{before, after}}, T{}, where));
    auto element = [&](Exp<std::int64_t> i, Exp<T>) {
        auto add = [&](Exp<std::int64_t> k, Exp<T> total) {
            return total + source(i + (backwards ? extent(v, 0) - 1 - k : k)) * v(k);
        };
        return for_loop(extent(v, 0), add, T{});
    };
    return map_indexed(element, drop_last(source, m - 1, axis(0), where));
}

}  // namespace detail

/// Element i is the sum of a[i + k] v[k] over all k, by default for the positions at which v lies within a, so that the
/// result has size(v) - 1 elements fewer.
template <ArrayLike A, class T>
auto correlate(const A& a, const Array<T>& v, Overlap overlap, location where = location::current()) {
    return detail::sliding_sums("correlate", a, v, overlap, false, where);
}
template <ArrayLike A, class T>
auto correlate(const A& a, const Array<T>& v, location where = location::current()) {
    return correlate(a, v, Overlap::valid, where);
}

/// Element i is the sum of a[i - k] v[k] over all k: by default size(a) + size(v) - 1 elements.
template <ArrayLike A, class T>
auto convolve(const A& a, const Array<T>& v, Overlap overlap, location where = location::current()) {
    return detail::sliding_sums("convolve", a, v, overlap, true, where);
}
template <ArrayLike A, class T>
auto convolve(const A& a, const Array<T>& v, location where = location::current()) {
    return convolve(a, v, Overlap::full, where);
}

namespace detail {

/// Slopes between the neighbours of each element, at the ends between the end and its neighbour.
template <class T>
auto slopes_of_line(const Delayed<T>& line, T dx) {
    auto slope = [&](Exp<std::int64_t> i, Exp<T>) {
        const Exp<std::int64_t> last = extent(line, 0) - 1, low = max(i - 1, 0), high = min(i + 1, last);
        return (line(high) - line(low)) / (cast<T>(high - low) * dx);
    };
    return map_indexed(slope, line);
}

template <class T>
auto unwrapped_line(const Delayed<T>& line, T period) {
    auto correction = [&](Exp<std::int64_t> i, Exp<T> x) {
        const Exp<T> step = x - line(max(i - 1, 0)), half = period / 2;
        const Exp<T> within = floor_mod(step + half, period) - half;
        const Exp<T> wrapped = select(within == -half && step > T(0), half, within);
        return select(abs(step) < half, T(0), wrapped - step);
    };
    return line + cumsum(map_indexed(correction, line));
}

/// f of each line along an axis, which keeps its place.
template <class A, class F>
auto lines_in_place(const char* what, const A& a, Axes<1> along, location where, F f) {
    const auto lines = innermost(what, a, along, where);
    if constexpr (rank_v<A> == 1)
        return f(lines);
    else
        return moved_back(what, each_slice<1>(lines, f), along, where);
}

}  // namespace detail

/// Differences of the neighbours of each element divided by their distance, where samples have a distance of dx; at the two
/// ends, of the end and its neighbour. Along the innermost axis or another, which has two elements at least (else NaN).
/// Integers become double.
template <ArrayLike A>
auto gradient(const A& a, detail::fraction_t<A> dx = 1, Axes<1> along = axis(-1), location where = location::current()) {
    using T = detail::fraction_t<A>;
    return detail::lines_in_place("gradient", detail::fractions(a), along, where,
                                  [=](const Delayed<T>& line) { return detail::slopes_of_line(line, dx); });
}
template <ArrayLike A>
auto gradient(const A& a, Axes<1> along, location where = location::current()) {
    return gradient(a, 1, along, where);
}

/// Angles, or other numbers of a period, to which multiples of the period are added so that neighbours differ by half a
/// period at most. Along the innermost axis or another.
template <ArrayLike A>
auto unwrap(const A& a, element_t<A> period = 6.283185307179586, Axes<1> along = axis(-1),
            location where = location::current()) {
    using T = element_t<A>;
    static_assert(std::is_floating_point_v<T>, "unwrap is for arrays of floating-point numbers");
    return detail::lines_in_place("unwrap", a, along, where,
                                  [=](const Delayed<T>& line) { return detail::unwrapped_line(line, period); });
}

/// The modified Bessel function of the first kind of order 0, of which Kaiser's window is made: the sum of its series, whose
/// terms are all positive.
template <class T>
    requires(std::is_same_v<T, float> || std::is_same_v<T, double>)
Exp<T> i0(const Exp<T>& x) {
    const Exp<T> quarter = x * x / 4;
    auto counts = [](const Exp<T>&, const Exp<T>& term, const Exp<T>& total) {
        return term > total * (std::numeric_limits<T>::epsilon() / 4);
    };
    auto add = [&](const Exp<T>& k, const Exp<T>& term, const Exp<T>& total) {
        const Exp<T> next = term * (quarter / (k * k));
        return std::tuple(k + 1, next, total + next);
    };
    return std::get<2>(while_loop(counts, add, T(1), T(1), T(1)));
}
template <ArrayLike A>
auto i0(const A& a, location where = location::current()) {
    return map([](Exp<element_t<A>> x) { return i0(x); }, detail::Operand<A>(a, where));
}

}  // namespace sinter
