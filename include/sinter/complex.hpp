// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Complex arithmetic on Exp<std::complex<F>>: pairs of real expressions.
#pragma once

#include <sinter/math.hpp>

namespace sinter {

template <class F>
Exp<F> real(Exp<std::complex<F>> z) {
    return z.template get<0>();
}
template <class F>
Exp<F> imag(Exp<std::complex<F>> z) {
    return z.template get<1>();
}
template <class F>
Exp<std::complex<F>> conj(Exp<std::complex<F>> z) {
    return record<std::complex<F>>(real(z), -imag(z));
}
/// Computed without overflow of intermediate results.
template <class F>
Exp<F> abs(Exp<std::complex<F>> z) {
    return hypot(real(z), imag(z));
}
/// The square of abs.
template <class F>
Exp<F> norm(Exp<std::complex<F>> z) {
    return real(z) * real(z) + imag(z) * imag(z);
}
template <class T>
    requires(!detail::is_complex<T>)
Exp<T> norm(Exp<T> x) {
    static_assert(detail::never<T>,
                  "norm is the squared absolute value of complex numbers, as std::norm is: write "
                  "sqrt(sum(a * a)) for the length of a vector, x * x for the square of a number");
    return x;
}
template <class F>
Exp<F> arg(Exp<std::complex<F>> z) {
    return atan2(imag(z), real(z));
}

namespace detail {

/// (a + ib) / (c + id) by Smith's method: scaled by the larger of |c| and |d|, so that c*c + d*d is never formed.
template <class F>
Exp<std::complex<F>> complex_quotient(Exp<F> a, Exp<F> b, Exp<F> c, Exp<F> d) {
    Exp<bool> c_larger = sinter::abs(c) >= sinter::abs(d);
    Exp<F> large = select(c_larger, c, d), small = select(c_larger, d, c);
    Exp<F> ratio = small / large, denominator = large + small * ratio;
    Exp<F> first = select(c_larger, a, b), second = select(c_larger, b, a);
    Exp<F> real = (first + second * ratio) / denominator;
    Exp<F> difference = second - first * ratio;
    return record<std::complex<F>>(real, select(c_larger, difference, -difference) / denominator);
}

template <Op op, class F>
auto complex_op(Exp<std::complex<F>> x, Exp<std::complex<F>> y) {
    auto [a, b] = x;
    auto [c, d] = y;
    if constexpr (op == Op::add)
        return record<std::complex<F>>(a + c, b + d);
    else if constexpr (op == Op::sub)
        return record<std::complex<F>>(a - c, b - d);
    else if constexpr (op == Op::mul)
        return record<std::complex<F>>(a * c - b * d, a * d + b * c);
    else
        return complex_quotient<F>(a, b, c, d);
}

}  // namespace detail
}  // namespace sinter

#include <sinter/complex_math.hpp>
