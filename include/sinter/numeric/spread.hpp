// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Running sums, differences, variances.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/combinators/reduce.hpp>
#include <sinter/combinators/scan.hpp>
#include <sinter/combinators/view.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/detail/lines.hpp>

namespace sinter {

/// Element i is the sum (or the product) of the elements up to i; of booleans, how many of these are true, as int64.
template <ArrayLike A>
auto cumsum(const A& a, Axes<1> axis = {{-1}}, location where = location::current()) {
    if constexpr (std::is_same_v<element_t<A>, bool>) {
        auto one = [](Exp<bool> x) { return cast<std::int64_t>(x); };
        return cumsum(detail::map_arrays("cumsum", where, one, a), axis, where);
    } else {
        return inclusive_scan([](const auto& x, const auto& y) { return x + y; }, detail::Operand<A>(a, where), axis);
    }
}
template <ArrayLike A>
auto cumprod(const A& a, Axes<1> axis = {{-1}}, location where = location::current()) {
    return inclusive_scan([](const auto& x, const auto& y) { return x * y; }, detail::Operand<A>(a, where), axis);
}

namespace detail {

/// All but the last n elements of an axis.
template <ArrayLike A, SizeLike N>
auto drop_last(const A& a, const N& n, Axes<1> axis, location where) {
    return reverse(drop(reverse(a, axis, where), n, axis, where), axis, where);
}

template <class T>
auto variance_of_line(const Delayed<T>& a, std::int64_t ddof, location where) {
    const auto deviations = a - mean(a, axis(-1), where);
    auto square = [](const auto& x) { return x * x; };
    auto divide = [=](Exp<T> total) { return total / cast<T>(extent(a, 0) - ddof); };
    return map(divide, sum(map(square, deviations), axis(-1), where));
}

}  // namespace detail

/// a[i + 1] - a[i]: one element fewer along the axis. ShapeError if it has none.
template <ArrayLike A>
auto diff(const A& a, Axes<1> axis = {{-1}}, location where = location::current()) {
    return drop(a, 1, axis, where) - detail::drop_last(a, 1, axis, where);
}

/// The mean squared distance from the mean, in two passes; with ddof, the sum is divided by n - ddof. Integers become
/// double. Halves are computed in float: the sum of many squares soon exceeds their range.
template <ArrayLike A, int K>
auto var(const A& a, const Axes<K>& axes, std::int64_t ddof = 0, location where = location::current()) {
    using T = element_t<A>;
    static_assert(rank_v<A> > 0, "var needs an array of rank 1 at least");
    if constexpr (std::is_integral_v<T>) {
        return var(cast<double>(a), axes, ddof, where);
    } else if constexpr (std::is_same_v<T, half>) {
        return cast<half>(var(cast<float>(a), axes, ddof, where));
    } else {
        const Delayed<T, rank_v<A>> slices(detail::innermost("var", a, axes, where));
        return detail::each_slice<K>(slices, [=](const Delayed<T, K>& slice) {
            if constexpr (K == 1)
                return detail::variance_of_line(slice, ddof, where);
            else
                return detail::variance_of_line(Delayed<T>(flatten(slice, where)), ddof, where);
        });
    }
}
template <ArrayLike A>
auto var(const A& a, location where = location::current()) {
    return var(a, axis(-1), 0, where);
}

/// The square root of var.
template <ArrayLike A, int K>
auto stddev(const A& a, const Axes<K>& axes, std::int64_t ddof = 0, location where = location::current()) {
    return sqrt(var(a, axes, ddof, where));
}
template <ArrayLike A>
auto stddev(const A& a, location where = location::current()) {
    return stddev(a, axis(-1), 0, where);
}

}  // namespace sinter
