// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Division that rounds downwards, as // and % do in Python: the remainder has the divisor's sign. The operators / and %
/// truncate.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/math.hpp>

namespace sinter {

namespace detail {

template <class T>
Exp<T> floor_quotient(Exp<T> a, Exp<T> b) {
    if constexpr (std::is_integral_v<T>) {
        const Exp<T> quotient = a / b, rest = a % b;
        if constexpr (std::is_signed_v<T>)
            return select(rest != T(0) && ((rest < T(0)) != (b < T(0))), quotient - T(1), quotient);
        else
            return quotient;
    } else {
        // A quotient just below a whole number can be rounded up to it: then what is left has not the divisor's sign.
        const Exp<T> quotient = floor(a / b), rest = fma(-quotient, b, a);
        return select(rest != T(0) && isfinite(b) && ((rest < T(0)) != (b < T(0))), quotient - T(1), quotient);
    }
}

template <class T>
Exp<T> floor_rest(Exp<T> a, Exp<T> b) {
    const Exp<T> rest = a % b;
    if constexpr (std::is_unsigned_v<T>)
        return rest;
    else
        return select(rest != T(0) && ((rest < T(0)) != (b < T(0))), rest + b, rest);
}

/// The common type of the two, which are Exps or literals of one type, or one of each.
template <class A, class B>
using divided_t = std::conditional_t<is_exp<A>, reified_t<A>, reified_t<B>>;

}  // namespace detail

/// The greatest integer that is not above the exact quotient a / b; of floating-point numbers, as far as integers of that
/// size have a successor (below 2^24 and 2^53). DomainError for integers with b = 0.
template <Expression A, Expression B>
    requires(detail::is_exp<A> || detail::is_exp<B>)
auto floor_div(const A& a, const B& b) {
    using T = detail::divided_t<A, B>;
    return detail::floor_quotient<T>(detail::convert<T>(a), detail::convert<T>(b));
}
/// a - b floor_div(a, b): 0, or a number with b's sign.
template <Expression A, Expression B>
    requires(detail::is_exp<A> || detail::is_exp<B>)
auto floor_mod(const A& a, const B& b) {
    using T = detail::divided_t<A, B>;
    return detail::floor_rest<T>(detail::convert<T>(a), detail::convert<T>(b));
}

/// The same for arrays, element by element, and for an array and a number.
template <class A, class B>
    requires(detail::ArrayOperands<A, B>)
auto floor_div(const A& a, const B& b, location where = location::current()) {
    return detail::lift("floor_div", where, [](const auto& x, const auto& y) { return floor_div(x, y); }, a, b);
}
template <class A, class B>
    requires(detail::ArrayOperands<A, B>)
auto floor_mod(const A& a, const B& b, location where = location::current()) {
    return detail::lift("floor_mod", where, [](const auto& x, const auto& y) { return floor_mod(x, y); }, a, b);
}

}  // namespace sinter
