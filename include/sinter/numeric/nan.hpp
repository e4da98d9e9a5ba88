// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What replaces NaNs, and reductions that leave them out. Axes are as for sum. A line that has nothing but NaNs has the sum
/// 0 and the product 1; means and extremes of it are NaN.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/combinators/reduce.hpp>

#include <limits>

namespace sinter {

/// NaNs replaced by a number, infinities by the greatest finite numbers.
template <ArrayLike A>
auto nan_to_num(const A& a, element_t<A> nan = 0, location where = location::current()) {
    using T = element_t<A>;
    static_assert(std::is_floating_point_v<T>, "nan_to_num is for arrays of floating-point numbers");
    constexpr T greatest = std::numeric_limits<T>::max();
    auto finite = [=](Exp<T> x) { return select(isnan(x), nan, clamp(x, -greatest, greatest)); };
    return map(finite, detail::Operand<A>(a, where));
}

template <ArrayLike A, int K = 1>
auto nansum(const A& a, const Axes<K>& axes = axis(-1), location where = location::current()) {
    return sum(map([](const auto& x) { return select(isnan(x), 0, x); }, a), axes, where);
}
template <ArrayLike A, int K = 1>
auto nanprod(const A& a, const Axes<K>& axes = axis(-1), location where = location::current()) {
    return product(map([](const auto& x) { return select(isnan(x), 1, x); }, a), axes, where);
}
template <ArrayLike A, int K = 1>
auto nanmean(const A& a, const Axes<K>& axes = axis(-1), location where = location::current()) {
    const auto present = count(map([](const auto& x) { return !isnan(x); }, a), axes, where);
    return nansum(a, axes, where) / cast<element_t<A>>(present);
}
template <ArrayLike A, int K = 1>
auto nanmin(const A& a, const Axes<K>& axes = axis(-1), location where = location::current()) {
    return fold([](const auto& x, const auto& y) { return fmin(x, y); }, static_cast<element_t<A>>(__builtin_nan("")), a,
                axes, where);
}
template <ArrayLike A, int K = 1>
auto nanmax(const A& a, const Axes<K>& axes = axis(-1), location where = location::current()) {
    return fold([](const auto& x, const auto& y) { return fmax(x, y); }, static_cast<element_t<A>>(__builtin_nan("")), a,
                axes, where);
}

}  // namespace sinter
