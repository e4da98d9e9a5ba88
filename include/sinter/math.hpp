// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mathematics on Exp. Operands are converted as those of operators are (a literal takes the expression's type).
#pragma once

#include <sinter/exp_operators.hpp>

namespace sinter {

#define SINTER_UNARY(name)                             \
    template <class T>                                 \
    auto name(Exp<T> x) {                              \
        return detail::record_op<detail::Op::name>(x); \
    }
#include <sinter/detail/unary_math.def>
#undef SINTER_UNARY

/// Functions of two values (for those of one array see combinators/reduce.hpp). min and max propagate NaN, fmin and fmax
/// ignore it.
#define SINTER_BINARY(name, op)                               \
    template <class A, class B>                               \
        requires detail::ScalarOperands<A, B>                 \
    auto name(const A& a, const B& b) {                       \
        return detail::meet_and_record<detail::Op::op>(a, b); \
    }
#include <sinter/detail/binary_math.def>
#undef SINTER_BINARY

// More specialised than std::min and std::max, for programs that name both namespaces.
template <class T>
Exp<T> min(const Exp<T>& a, const Exp<T>& b) {
    return detail::record_op<detail::Op::minimum>(a, b);
}
template <class T>
Exp<T> max(const Exp<T>& a, const Exp<T>& b) {
    return detail::record_op<detail::Op::maximum>(a, b);
}

/// a * b + c, rounded once.
template <class A, class B, class C>
    requires detail::ScalarOperands<A, B, C>
auto fma(const A& a, const B& b, const C& c) {
    return detail::meet_and_record<detail::Op::fma>(a, b, c);
}

/// a where c holds, else b; both are evaluated. Products are selected as a whole.
template <Expression A, Expression B>
auto select(Exp<bool> c, const A& a, const B& b) {
    using T = detail::unified_t<A, B>;
    Exp<T> x = detail::convert<T>(a), y = detail::convert<T>(b), result;
    constexpr auto& types = detail::scalars_of<T>;
    for (std::size_t i = 0; i < result.leaves; ++i) {
        detail::Handle operands[] = {c.handles[0], x.handles[i], y.handles[i]};
        result.handles[i] = detail::apply(detail::Op::select, types.scalars[i], operands, 3);
    }
    return result;
}

/// x between low and high; NaN stays NaN.
template <class X, class L, class H>
    requires detail::ScalarOperands<X, L, H>
auto clamp(const X& x, const L& low, const H& high) {
    return min(max(x, low), high);
}
template <class T>
Exp<T> clamp(const Exp<T>& x, const Exp<T>& low, const Exp<T>& high) {
    return min(max(x, low), high);
}

/// a + t * (b - a), exact at t = 0 and t = 1.
template <class A, class B, class T>
    requires detail::ScalarOperands<A, B, T>
auto lerp(const A& a, const B& b, const T& t) {
    using E = detail::unified_all_t<A, B, T>;
    Exp<E> from = detail::convert<E>(a), to = detail::convert<E>(b), at = detail::convert<E>(t);
    return fma(at, to, fma(-at, from, from));
}

template <class T>
Exp<T> rsqrt(Exp<T> x) {
    return 1 / sqrt(x);
}
template <class T>
Exp<bool> isnan(Exp<T> x) {
    return x != x;
}
template <class T>
Exp<bool> isinf(Exp<T> x) {
    static_assert(std::is_floating_point_v<T> || std::is_same_v<T, half>, "isinf is for floats");
    return abs(x) == Exp<T>(__builtin_inf());
}
template <class T>
Exp<bool> isfinite(Exp<T> x) {
    static_assert(std::is_floating_point_v<T> || std::is_same_v<T, half>, "isfinite is for floats");
    return abs(x) < Exp<T>(__builtin_inf());
}
/// -1, 0 or 1; a NaN or zero is returned as it is.
template <class T>
Exp<T> sign(Exp<T> x) {
    if constexpr (std::is_unsigned_v<T>)
        return select(x > 0, 1, x);
    else
        return select(x > 0, 1, select(x < 0, -1, x));
}

}  // namespace sinter

#include <sinter/complex.hpp>
