// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mathematics of complex numbers, made of real functions: the same bits on every target. Branch cuts are those of C and
/// C++, on which the sign of a zero says from which side a value is seen.
///
/// Sources: W. Kahan, Branch Cuts for Complex Elementary Functions, or Much Ado About Nothing's Sign Bit, in The State of
/// the Art in Numerical Analysis, 1987 (inverse functions, tanh).
#pragma once

#include <sinter/math.hpp>

#include <limits>

namespace sinter {

/// The number of absolute value `r` and argument `theta`.
template <class F>
    requires std::is_floating_point_v<F>
Exp<std::complex<F>> polar(Exp<F> r, Exp<F> theta) {
    return record<std::complex<F>>(r * cos(theta), r * sin(theta));
}

namespace detail {

template <class F>
using ComplexExp = Exp<std::complex<F>>;

template <class F>
ComplexExp<F> complex_of(Exp<F> x, Exp<F> y) {
    return record<std::complex<F>>(x, y);
}

/// i z and -i z, without arithmetic.
template <class F>
ComplexExp<F> times_i(ComplexExp<F> z) {
    return complex_of<F>(-imag(z), real(z));
}
template <class F>
ComplexExp<F> over_i(ComplexExp<F> z) {
    return complex_of<F>(imag(z), -real(z));
}

/// 1 + z and 1 - z, where the imaginary part keeps the sign of its zero.
template <class F>
ComplexExp<F> one_plus(ComplexExp<F> z) {
    return complex_of<F>(1 + real(z), imag(z));
}
template <class F>
ComplexExp<F> one_minus(ComplexExp<F> z) {
    return complex_of<F>(1 - real(z), -imag(z));
}

template <class F>
inline constexpr F infinite = std::numeric_limits<F>::infinity();

/// log of the absolute value: near 1 from its square less 1, which is small; elsewhere from the larger part.
template <class F>
Exp<F> log_abs(ComplexExp<F> z) {
    const Exp<F> x = sinter::abs(real(z)), y = sinter::abs(imag(z));
    const Exp<F> large = max(x, y), small = min(x, y);
    const Exp<F> near = log1p((large - 1) * (large + 1) + small * small) / 2;
    const Exp<bool> ordinary = (large > 0) && (large < infinite<F>);
    const Exp<F> ratio = select(ordinary, small, 0) / select(ordinary, large, 1);
    const Exp<F> far = log(large) + log1p(ratio * ratio) / 2;
    const Exp<F> finite = select((large > F(0.5)) && (large < 2), near, far);
    return select((x == infinite<F>) || (y == infinite<F>), infinite<F>, finite);
}

/// The root of z in the right half plane, for a z whose parts are neither so large nor so small that squares leave the
/// range.
template <class F>
ComplexExp<F> right_root(Exp<F> x, Exp<F> y) {
    const Exp<F> size = sinter::abs(x), root = sqrt((hypot(size, y) + size) / 2);
    const Exp<bool> zero = root == 0;
    const Exp<F> other = select(zero, y, y / (2 * select(zero, 1, root)));
    return complex_of<F>(select(x >= 0, root, sinter::abs(other)), select(x >= 0, other, copysign(root, y)));
}

}  // namespace detail

/// e to the power of z. It overflows where e to the power of the real part does.
template <class F>
Exp<std::complex<F>> exp(Exp<std::complex<F>> z) {
    const Exp<F> size = exp(real(z)), y = imag(z);
    const Exp<bool> on_axis = y == 0, vanishes = size == 0;  // where 0 times infinity is not asked for
    const Exp<F> angle = select(vanishes && !isfinite(y), 0, y);
    return detail::complex_of<F>(select(on_axis, size, size * cos(angle)), select(on_axis, y, size * sin(angle)));
}

/// The logarithm, whose imaginary part lies between -pi and pi: a cut along the negative axis.
template <class F>
Exp<std::complex<F>> log(Exp<std::complex<F>> z) {
    return detail::complex_of<F>(detail::log_abs<F>(z), arg(z));
}
template <class F>
Exp<std::complex<F>> log10(Exp<std::complex<F>> z) {
    return log(z) / F(2.302585092994045684);
}
template <class F>
Exp<std::complex<F>> log2(Exp<std::complex<F>> z) {
    return log(z) / F(0.6931471805599453094);
}

/// The root in the right half plane: a cut along the negative axis.
template <class F>
Exp<std::complex<F>> sqrt(Exp<std::complex<F>> z) {
    const Exp<F> x = real(z), y = imag(z), size = max(sinter::abs(x), sinter::abs(y));
    constexpr F most = std::numeric_limits<F>::max() / 16, least = F(1) / (F(1LL << 50) * F(1LL << 10));
    const Exp<F> factor = select(size > most, F(1) / 16, select(size < least, F(1LL << 60), 1));
    const Exp<F> back = select(size > most, 4, select(size < least, F(1) / F(1LL << 30), 1));
    const auto root = detail::right_root<F>(x * factor, y * factor);
    const Exp<bool> endless = sinter::abs(y) == detail::infinite<F>;
    return detail::complex_of<F>(select(endless, detail::infinite<F>, real(root) * back),
                                 select(endless, y, imag(root) * back));
}

/// a to the power of b, one of which is complex: exp(b log(a)). What is 0 gives 1 to the power of 0, and 0 to powers with a
/// positive real part.
template <class A, class B>
    requires detail::ScalarOperands<A, B> && (detail::is_complex<detail::unified_t<A, B>>)
auto pow(const A& a, const B& b) {
    using C = detail::unified_t<A, B>;
    using F = typename C::value_type;
    const Exp<C> base = detail::convert<C>(a), power = detail::convert<C>(b);
    const Exp<bool> zero = base == Exp<C>(C(0)), none = power == Exp<C>(C(0));
    const Exp<bool> known = none || (zero && (real(power) > 0));
    const Exp<C> value = exp(power * log(select(known, C(1), base)));
    return select(none, C(1), select(known, C(F(0)), value));
}

template <class F>
Exp<std::complex<F>> sinh(Exp<std::complex<F>> z) {
    const Exp<F> x = real(z), y = imag(z);
    const Exp<bool> still = (x == 0) && !isfinite(y);  // where the cosine is not a number
    return detail::complex_of<F>(select(still, x, sinh(x) * cos(y)), select(y == 0, y, cosh(x) * sin(y)));
}
template <class F>
Exp<std::complex<F>> cosh(Exp<std::complex<F>> z) {
    const Exp<F> x = real(z), y = imag(z);
    const Exp<F> signed_zero = copysign(Exp<F>(1), x) * select(y == 0, y, 0);
    const Exp<bool> on_axis = (y == 0) || ((x == 0) && !isfinite(y));
    return detail::complex_of<F>(cosh(x) * cos(y), select(on_axis, signed_zero, sinh(x) * sin(y)));
}
/// Kahan's form: neither part loses accuracy, and nothing overflows.
template <class F>
Exp<std::complex<F>> tanh(Exp<std::complex<F>> z) {
    const Exp<F> x = real(z), y = imag(z), size = sinter::abs(x);
    const Exp<bool> far = size > std::numeric_limits<F>::digits / 2;  // where tanh(x) is 1
    const Exp<F> s = sinh(select(far, 0, x)), t = tan(y), beta = 1 + t * t, bottom = 1 + beta * s * s;
    const Exp<F> near_real = beta * sqrt(1 + s * s) * s / bottom, near_imag = t / bottom;
    return detail::complex_of<F>(select(far, copysign(Exp<F>(1), x), near_real),
                                 select(far, 4 * sin(y) * cos(y) * exp(-2 * size), near_imag));
}
template <class F>
Exp<std::complex<F>> sin(Exp<std::complex<F>> z) {
    return detail::over_i<F>(sinh(detail::times_i<F>(z)));
}
template <class F>
Exp<std::complex<F>> cos(Exp<std::complex<F>> z) {
    return cosh(detail::times_i<F>(z));
}
template <class F>
Exp<std::complex<F>> tan(Exp<std::complex<F>> z) {
    return detail::over_i<F>(tanh(detail::times_i<F>(z)));
}

/// Cuts along the real axis beyond -1 and 1.
template <class F>
Exp<std::complex<F>> asin(Exp<std::complex<F>> z) {
    const auto plus = sqrt(detail::one_plus<F>(z)), minus = sqrt(detail::one_minus<F>(z));
    const Exp<F> along = real(plus) * real(minus) - imag(plus) * imag(minus);
    const Exp<F> across = real(minus) * imag(plus) - imag(minus) * real(plus);
    return detail::complex_of<F>(atan2(real(z), along), asinh(across));
}
template <class F>
Exp<std::complex<F>> acos(Exp<std::complex<F>> z) {
    const auto plus = sqrt(detail::one_plus<F>(z)), minus = sqrt(detail::one_minus<F>(z));
    const Exp<F> across = real(plus) * imag(minus) - imag(plus) * real(minus);
    return detail::complex_of<F>(2 * atan2(real(minus), real(plus)), asinh(across));
}
/// Cuts along the imaginary axis beyond -i and i.
template <class F>
Exp<std::complex<F>> asinh(Exp<std::complex<F>> z) {
    return detail::over_i<F>(asin(detail::times_i<F>(z)));
}
/// A cut along the real axis below 1.
template <class F>
Exp<std::complex<F>> acosh(Exp<std::complex<F>> z) {
    const auto plus = sqrt(detail::one_plus<F>(z)), minus = sqrt(detail::complex_of<F>(real(z) - 1, imag(z)));
    const Exp<F> along = real(minus) * real(plus) + imag(minus) * imag(plus);
    return detail::complex_of<F>(asinh(along), 2 * atan2(imag(minus), real(plus)));
}
/// Cuts along the real axis beyond -1 and 1.
template <class F>
Exp<std::complex<F>> atanh(Exp<std::complex<F>> z) {
    const Exp<F> x = real(z), y = imag(z), size = sinter::abs(x), less = 1 - size;
    const Exp<F> bottom = less * less + y * y;
    const Exp<bool> at_pole = bottom < std::numeric_limits<F>::epsilon();  // where squares may vanish
    const Exp<F> beside = log(4 * size) / 4 - log(hypot(less, y)) / 2;
    const Exp<F> along = select(at_pole, beside, log1p(4 * size / select(at_pole, 1, bottom)) / 4);
    const Exp<F> across = atan2(2 * y, less * (1 + size) - y * y) / 2;
    // Far away it is i pi / 2 and what is left of 1 / z; squares might overflow there.
    constexpr F far = F(1LL << (std::numeric_limits<F>::digits > 24 ? 60 : 40));
    const Exp<bool> distant = max(size, sinter::abs(y)) > far;
    const auto inverse = detail::complex_quotient<F>(Exp<F>(1), Exp<F>(0), size, y);
    const Exp<F> quarter = copysign(Exp<F>(F(1.5707963267948966192)), y);
    return detail::complex_of<F>(copysign(select(distant, real(inverse), along), x), select(distant, quarter, across));
}
/// Cuts along the imaginary axis beyond -i and i.
template <class F>
Exp<std::complex<F>> atan(Exp<std::complex<F>> z) {
    return detail::over_i<F>(atanh(detail::times_i<F>(z)));
}

}  // namespace sinter
