// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Searching sorted arrays, distinct elements, counts.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/combinators/filter.hpp>
#include <sinter/combinators/gather.hpp>
#include <sinter/combinators/scatter.hpp>
#include <sinter/combinators/sort.hpp>
#include <sinter/control.hpp>

namespace sinter {

/// Where a value is inserted among equal elements: before or after them.
enum class Side { left, right };

namespace detail {

/// The order used by sort: NaNs are last.
template <class T>
Exp<bool> sorts_before(Exp<T> x, Exp<T> y) {
    if constexpr (std::is_integral_v<T>)
        return x < y;
    else
        return x < y || (isnan(y) && !isnan(x));
}

/// Whether sort tells the two apart; products by their components.
template <class T>
Exp<bool> sorts_apart(Exp<T> x, Exp<T> y) {
    if constexpr (std::is_integral_v<T>)
        return x != y;
    else if constexpr (is_scalar<T>)
        return sorts_before(x, y) || sorts_before(y, x);
    else
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return (Exp<bool>(false) || ... || sorts_apart(x.template get<K>(), y.template get<K>()));
        }(std::make_index_sequence<value_components<Exp<T>>>{});
}

template <class T>
Exp<std::int64_t> insertion_point(const Delayed<T>& sorted, Exp<T> value, Side side) {
    auto open = [](Exp<std::int64_t> low, Exp<std::int64_t> high) { return low < high; };
    auto halve = [&](Exp<std::int64_t> low, Exp<std::int64_t> high) {
        const Exp<std::int64_t> middle = low + (high - low) / 2;
        const Exp<T> there = sorted(middle);
        const Exp<bool> behind = side == Side::left ? sorts_before(there, value) : !sorts_before(value, there);
        return std::tuple(select(behind, middle + 1, low), select(behind, high, middle));
    };
    return std::get<0>(while_loop(open, halve, std::int64_t{0}, extent(sorted, 0)));
}

}  // namespace detail

/// For each value, the index at which it would be inserted into an ascending array of rank 1, by binary search.
template <ArrayLike A, ArrayLike V>
auto searchsorted(const A& sorted, const V& values, Side side = Side::left, location where = location::current()) {
    static_assert(rank_v<A> == 1 && std::is_same_v<element_t<A>, element_t<V>>,
                  "searchsorted: a sorted array of rank 1, and values of its element type");
    const auto known = force(sorted, where);
    return map([&](Exp<element_t<V>> x) { return detail::insertion_point(known, x, side); }, values);
}
/// The same for one value in a function or program, an Exp.
template <ArrayLike A, Expression V>
Exp<std::int64_t> searchsorted(const A& sorted, const V& value, Side side = Side::left) {
    static_assert(rank_v<A> == 1, "searchsorted: a sorted array of rank 1");
    using T = element_t<A>;
    return detail::insertion_point(Delayed<T>(sorted), detail::convert<T>(value), side);
}

/// The number of the bin that each x is in: bins[i - 1] <= x < bins[i]; with Side::left, bins[i - 1] < x <= bins[i].
template <ArrayLike X, ArrayLike B>
auto digitize(const X& x, const B& bins, Side side = Side::right, location where = location::current()) {
    return searchsorted(bins, x, side, where);
}
/// The same for one value in a function or program, an Exp.
template <Expression X, ArrayLike B>
Exp<std::int64_t> digitize(const X& x, const B& bins, Side side = Side::right) {
    return searchsorted(bins, x, side);
}

namespace detail {

/// The piecewise linear function through the points, at a place.
template <class T>
Exp<T> interpolated(const Exp<T>& at, const Delayed<T>& points, const Delayed<T>& values) {
    const Exp<std::int64_t> last = extent(points, 0) - 1;
    const Exp<std::int64_t> found = insertion_point(points, at, Side::right) - 1;
    const Exp<std::int64_t> low = max(min(found, last - 1), 0), high = min(low + 1, last);
    const Exp<T> t = (at - points(low)) / (points(high) - points(low));
    const Exp<T> inside = fma(t, values(high) - values(low), values(low));
    const Exp<std::int64_t> first = 0;
    return select(at <= points(first), values(first), select(at >= points(last), values(last), inside));
}

template <class T, class P, class F>
constexpr void check_interp() {
    static_assert(std::is_floating_point_v<T> && std::is_same_v<T, element_t<P>> && std::is_same_v<T, element_t<F>>,
                  "interp: all arrays have one floating-point type");
}

}  // namespace detail

/// The piecewise linear function through the points (xp, fp), xp ascending, at x; constant beyond the ends.
template <ArrayLike X, ArrayLike P, ArrayLike F>
auto interp(const X& x, const P& xp, const F& fp, location where = location::current()) {
    using T = element_t<X>;
    detail::check_interp<T, P, F>();
    detail::require_same_shape("interp", where, xp, fp);
    const Delayed<T> points = force(xp, where), values = force(fp, where);
    return map([&](Exp<T> at) { return detail::interpolated(at, points, values); }, detail::Operand<X>(x, where));
}
/// The same at one place in a function or program, an Exp.
template <Expression X, ArrayLike P, ArrayLike F>
auto interp(const X& x, const P& xp, const F& fp) {
    using T = element_t<P>;
    detail::check_interp<T, P, F>();
    return detail::interpolated(detail::convert<T>(x), Delayed<T>(xp), Delayed<T>(fp));
}

/// How often each of 0, ..., bins - 1 occurs. IndexError for other values, except that -1 is dropped.
template <ArrayLike A, detail::SizeLike N>
auto bincount(const A& a, const N& bins, location where = location::current()) {
    const auto ones = map([](auto) { return Exp<std::int64_t>(1); }, a);
    return histogram(
        bins, [](const auto& x, const auto& y) { return x + y; }, std::int64_t{0}, detail::Operand<A>(a, where), ones);
}
/// For each of 0, ..., bins - 1, the sum of the weights of its occurrences.
template <ArrayLike A, ArrayLike W, detail::SizeLike N>
auto bincount(const A& a, const W& weights, const N& bins, location where = location::current()) {
    return histogram(
        bins, [](const auto& x, const auto& y) { return x + y; }, element_t<W>{}, detail::Operand<A>(a, where), weights);
}

/// The distinct elements of an array of rank 1, ascending as sort has them; NaNs count as one.
template <ArrayLike A>
auto unique(const A& a, location where = location::current()) {
    using T = element_t<A>;
    static_assert(rank_v<A> == 1, "unique is for arrays of rank 1: flatten it first");
    const auto sorted = force(sort(a, where), where);
    auto is_first = [&](Exp<std::int64_t> i, Exp<T> x) { return i == 0 || detail::sorts_apart(sorted(max(i - 1, 0)), x); };
    return compact(map_indexed(is_first, sorted), sorted);
}

}  // namespace sinter
