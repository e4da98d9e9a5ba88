// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operators on Exp. && and || evaluate both sides.
#pragma once

#include <sinter/detail/scalar_ops.hpp>

namespace sinter {

#define SINTER_OPERATOR(symbol, record)            \
    template <class A, class B>                    \
        requires detail::ScalarOperands<A, B>      \
    auto operator symbol(const A& a, const B& b) { \
        return detail::record(a, b);               \
    }
SINTER_OPERATOR(+, meet_and_record<detail::Op::add>)
SINTER_OPERATOR(-, meet_and_record<detail::Op::sub>)
SINTER_OPERATOR(*, meet_and_record<detail::Op::mul>)
SINTER_OPERATOR(/, meet_and_record<detail::Op::div>)
SINTER_OPERATOR(%, meet_and_record<detail::Op::rem>)
SINTER_OPERATOR(&, meet_and_record<detail::Op::bit_and>)
SINTER_OPERATOR(|, meet_and_record<detail::Op::bit_or>)
SINTER_OPERATOR(^, meet_and_record<detail::Op::bit_xor>)
SINTER_OPERATOR(<<, record_shift<detail::Op::shift_left>)
SINTER_OPERATOR(>>, record_shift<detail::Op::shift_right>)
SINTER_OPERATOR(==, meet_and_record<detail::Op::equal>)
SINTER_OPERATOR(!=, meet_and_record<detail::Op::not_equal>)
SINTER_OPERATOR(<, meet_and_record<detail::Op::less>)
SINTER_OPERATOR(<=, meet_and_record<detail::Op::less_equal>)
SINTER_OPERATOR(>, meet_and_record<detail::Op::greater>)
SINTER_OPERATOR(>=, meet_and_record<detail::Op::greater_equal>)
SINTER_OPERATOR(&&, record_logical<detail::Op::bit_and>)
SINTER_OPERATOR(||, record_logical<detail::Op::bit_or>)
#undef SINTER_OPERATOR

template <class T>
Exp<T> operator+(Exp<T> e) {
    return e;
}
template <class T>
Exp<T> operator-(Exp<T> e) {
    if constexpr (detail::is_complex<T>)
        return record<T>(-e.template get<0>(), -e.template get<1>());
    else
        return detail::record_op<detail::Op::negate>(e);
}
template <class T>
Exp<T> operator~(Exp<T> e) {
    return detail::record_op<detail::Op::bit_not>(e);
}
inline Exp<bool> operator!(Exp<bool> e) { return detail::record_op<detail::Op::bit_not>(e); }

}  // namespace sinter
