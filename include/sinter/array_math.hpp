// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mathematics on whole arrays: the functions of math.hpp, element-wise.
#pragma once

#include <sinter/detail/lift.hpp>
#include <sinter/math.hpp>

namespace sinter {

#define SINTER_UNARY(name)                                                                            \
    template <class A>                                                                                \
    auto name(detail::Operand<A> a) {                                                                 \
        return detail::lift(#name, a.where, [](const auto& x) { return sinter::name(x); }, *a.array); \
    }
#include <sinter/detail/unary_math.def>
SINTER_UNARY(rsqrt)
SINTER_UNARY(isnan)
SINTER_UNARY(isinf)
SINTER_UNARY(isfinite)
SINTER_UNARY(sign)
SINTER_UNARY(conj)
SINTER_UNARY(norm)
SINTER_UNARY(arg)
#undef SINTER_UNARY

#define SINTER_BINARY(name, op)                                                                                   \
    template <class A, class B>                                                                                   \
        requires detail::ArrayOperands<A, B>                                                                      \
    auto name(const A& a, const B& b, location where = location::current()) {                                     \
        return detail::lift(#name, where, [](const auto& x, const auto& y) { return sinter::name(x, y); }, a, b); \
    }
#include <sinter/detail/binary_math.def>
SINTER_BINARY(polar, )
#undef SINTER_BINARY

// More specialised than std::min and std::max, for programs that name both namespaces.
#define SINTER_SAME(name, Kind)                                                                                   \
    template <class T, int Rank>                                                                                  \
    auto name(const Kind<T, Rank>& a, const Kind<T, Rank>& b, location where = location::current()) {             \
        return detail::lift(#name, where, [](const auto& x, const auto& y) { return sinter::name(x, y); }, a, b); \
    }
SINTER_SAME(min, Delayed)
SINTER_SAME(min, Array)
SINTER_SAME(max, Delayed)
SINTER_SAME(max, Array)
#undef SINTER_SAME

#define SINTER_TERNARY(name)                                                                        \
    template <class A, class B, class C>                                                            \
        requires detail::ArrayOperands<A, B, C>                                                     \
    auto name(const A& a, const B& b, const C& c, location where = location::current()) {           \
        auto f = [](const auto& x, const auto& y, const auto& z) { return sinter::name(x, y, z); }; \
        return detail::lift(#name, where, f, a, b, c);                                              \
    }
SINTER_TERNARY(fma)
SINTER_TERNARY(clamp)
SINTER_TERNARY(lerp)
SINTER_TERNARY(select)
#undef SINTER_TERNARY

/// Element-wise conversion, as cast and bit_cast of Exp.
template <Element U, class A>
auto cast(detail::Operand<A> a) {
    return detail::lift("cast", a.where, [](const auto& x) { return sinter::cast<U>(x); }, *a.array);
}
template <Element U, class A>
auto bit_cast(detail::Operand<A> a) {
    return detail::lift("bit_cast", a.where, [](const auto& x) { return sinter::bit_cast<U>(x); }, *a.array);
}

/// The parts of complex arrays. They are components of what is stored: nothing is computed.
template <ArrayLike A>
    requires detail::is_complex<element_t<A>>
auto real(const A& a) {
    return detail::array_component<0>(a);
}
template <ArrayLike A>
    requires detail::is_complex<element_t<A>>
auto imag(const A& a) {
    return detail::array_component<1>(a);
}

}  // namespace sinter
