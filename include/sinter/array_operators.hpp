// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operators on whole arrays: element-wise, with arrays of the same shape, arrays of rank 0, Exps and literals.
#pragma once

#include <sinter/detail/lift.hpp>
#include <sinter/exp_operators.hpp>

namespace sinter {

#define SINTER_OPERATOR(symbol)                                                   \
    template <class A, class B>                                                   \
    auto operator symbol(detail::Operand<A> a, detail::Operand<B> b) {            \
        auto f = [](const auto& x, const auto& y) { return x symbol y; };         \
        return detail::lift("operator " #symbol, a.where, f, *a.array, *b.array); \
    }                                                                             \
    template <class A, class B>                                                   \
        requires detail::is_scalar_operand<B>                                     \
    auto operator symbol(detail::Operand<A> a, const B& b) {                      \
        auto f = [](const auto& x, const auto& y) { return x symbol y; };         \
        return detail::lift("operator " #symbol, a.where, f, *a.array, b);        \
    }                                                                             \
    template <class A, class B>                                                   \
        requires detail::is_scalar_operand<A>                                     \
    auto operator symbol(const A& a, detail::Operand<B> b) {                      \
        auto f = [](const auto& x, const auto& y) { return x symbol y; };         \
        return detail::lift("operator " #symbol, b.where, f, a, *b.array);        \
    }
SINTER_OPERATOR(+)
SINTER_OPERATOR(-)
SINTER_OPERATOR(*)
SINTER_OPERATOR(/)
SINTER_OPERATOR(%)
SINTER_OPERATOR(&)
SINTER_OPERATOR(|)
SINTER_OPERATOR(^)
SINTER_OPERATOR(<<)
SINTER_OPERATOR(>>)
SINTER_OPERATOR(==)
SINTER_OPERATOR(!=)
SINTER_OPERATOR(<)
SINTER_OPERATOR(<=)
SINTER_OPERATOR(>)
SINTER_OPERATOR(>=)
SINTER_OPERATOR(&&)
SINTER_OPERATOR(||)
#undef SINTER_OPERATOR

#define SINTER_OPERATOR(symbol)                                                                              \
    template <class A>                                                                                       \
    auto operator symbol(detail::Operand<A> a) {                                                             \
        return detail::lift("operator " #symbol, a.where, [](const auto& x) { return symbol x; }, *a.array); \
    }
SINTER_OPERATOR(-)
SINTER_OPERATOR(~)
SINTER_OPERATOR(!)
#undef SINTER_OPERATOR

}  // namespace sinter
