// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Floating-point numbers as their parts, neighbours and approximate equality.
#pragma once

#include <sinter/array_control.hpp>
#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/combinators/reduce.hpp>
#include <sinter/control.hpp>
#include <sinter/numeric/division.hpp>

#include <limits>

namespace sinter {

namespace detail {

/// What the bits of a float or double mean.
template <class T>
struct FloatBits {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "of float or double");
    using Bits = std::conditional_t<std::is_same_v<T, float>, std::int32_t, std::int64_t>;
    using Limits = std::numeric_limits<T>;
    static constexpr int fraction = Limits::digits - 1;
    static constexpr int bias = Limits::max_exponent - 1;
    static constexpr Bits exponents = static_cast<Bits>(2 * bias + 1) << fraction;
};

template <class T>
Exp<T> next_after(Exp<T> x, Exp<T> y) {
    using Bits = typename FloatBits<T>::Bits;
    const Exp<Bits> bits = bit_cast<Bits>(x);
    const Exp<T> moved = bit_cast<T>(select((x < y) == (x > T(0)), bits + Bits(1), bits - Bits(1)));
    const Exp<T> away = select(x == T(0), copysign(Exp<T>(FloatBits<T>::Limits::denorm_min()), y), moved);
    return select(isnan(x) || isnan(y), x + y, select(x == y, y, away));
}

/// Fraction and exponent. Subnormal numbers are made normal first.
template <class T>
std::tuple<Exp<T>, Exp<std::int32_t>> fraction_and_exponent(Exp<T> x) {
    using F = FloatBits<T>;
    using Bits = typename F::Bits;
    constexpr int lift = F::fraction + 2;
    const Exp<bool> small = abs(x) < F::Limits::min();
    const Exp<Bits> bits = bit_cast<Bits>(select(small, x * static_cast<T>(Bits(1) << lift), x));
    const Exp<bool> plain = isfinite(x) && x != T(0);
    const Exp<std::int32_t> exponent = cast<std::int32_t>((bits & F::exponents) >> F::fraction) - (F::bias - 1);
    const Exp<T> fraction = bit_cast<T>((bits & ~F::exponents) | (static_cast<Bits>(F::bias - 1) << F::fraction));
    return {select(plain, fraction, x), select(plain, exponent - select(small, lift, 0), 0)};
}

/// x 2^n, rounded once: before the last step, nothing is subnormal that the result is not.
template <class T>
Exp<T> scaled(Exp<T> x, Exp<std::int32_t> n) {
    using F = FloatBits<T>;
    using Bits = typename F::Bits;
    const auto power = [](Exp<std::int32_t> e) {
        return bit_cast<T>((cast<Bits>(e) + static_cast<Bits>(F::bias)) << F::fraction);
    };
    constexpr int up = F::bias, down = F::bias - 1 - F::Limits::digits;
    for (int step = 0; step < 2; ++step) {
        const Exp<std::int32_t> part = clamp(n, -down, up);
        const Exp<bool> far = n > up || n < 1 - F::bias;
        x = x * select(far, power(part), T(1));
        n = n - select(far, part, 0);
    }
    return x * power(clamp(n, 1 - F::bias, up));
}

template <class T>
Exp<bool> nearly_equal(Exp<T> x, Exp<T> y, T relative, T absolute) {
    return x == y || (isfinite(y) && abs(x - y) <= absolute + relative * abs(y));
}

}  // namespace detail

/// The next number of the type after x, in the direction of y; y if they are equal.
template <Expression X, Expression Y>
    requires(detail::is_exp<X> || detail::is_exp<Y>)
auto nextafter(const X& x, const Y& y) {
    using T = detail::divided_t<X, Y>;
    return detail::next_after<T>(detail::convert<T>(x), detail::convert<T>(y));
}
template <class A, class B>
    requires(detail::ArrayOperands<A, B>)
auto nextafter(const A& a, const B& b, location where = location::current()) {
    return detail::lift("nextafter", where, [](const auto& x, const auto& y) { return nextafter(x, y); }, a, b);
}

/// std::tuple(fraction, exponent), where x is fraction 2^exponent and the fraction 1/2 at least and less than 1; of 0,
/// infinities and NaNs x itself and 0.
template <class T>
auto frexp(const Exp<T>& x) {
    return detail::fraction_and_exponent<T>(x);
}
template <ArrayLike A>
auto frexp(const A& a, location where = location::current()) {
    using T = element_t<A>;
    const Delayed<T, rank_v<A>> of = force(a, where);
    return std::tuple(map([](Exp<T> x) { return std::get<0>(detail::fraction_and_exponent(x)); }, of),
                      map([](Exp<T> x) { return std::get<1>(detail::fraction_and_exponent(x)); }, of));
}

/// x 2^n, rounded once, n of type std::int32_t.
template <class T, Expression N>
auto ldexp(const Exp<T>& x, const N& n) {
    return detail::scaled<T>(x, detail::convert<std::int32_t>(n));
}
template <class A, class N>
    requires(detail::ArrayOperands<A, N>)
auto ldexp(const A& a, const N& n, location where = location::current()) {
    return detail::lift("ldexp", where, [](const auto& x, const auto& by) { return ldexp(x, by); }, a, n);
}

/// Whether |x - y| <= absolute + relative |y|, or both are the same infinity. A NaN is close to nothing.
template <Expression X, Expression Y>
    requires(detail::is_exp<X> || detail::is_exp<Y>)
auto isclose(const X& x, const Y& y, double relative = 1e-5, double absolute = 1e-8) {
    using T = detail::divided_t<X, Y>;
    return detail::nearly_equal<T>(detail::convert<T>(x), detail::convert<T>(y), static_cast<T>(relative),
                                   static_cast<T>(absolute));
}
template <class A, class B>
    requires(detail::ArrayOperands<A, B>)
auto isclose(const A& a, const B& b, double relative = 1e-5, double absolute = 1e-8, location where = location::current()) {
    const auto close = [=](const auto& x, const auto& y) { return isclose(x, y, relative, absolute); };
    return detail::lift("isclose", where, close, a, b);
}
/// Whether all elements are close.
template <class A, class B>
    requires(detail::ArrayOperands<A, B>)
auto allclose(const A& a, const B& b, double relative = 1e-5, double absolute = 1e-8, location where = location::current()) {
    return all(flatten(isclose(a, b, relative, absolute, where), where));
}

}  // namespace sinter
