// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What operators and math functions on Exp have in common: the type to which their operands are converted, and the
/// recording of one operation. Operands of one type keep it, different arithmetic types are converted to std::common_type_t,
/// and a literal takes the expression's type.
#pragma once

#include <sinter/detail/op_domain.hpp>
#include <sinter/exp.hpp>

namespace sinter::detail {

/// std::common_type_t, with half below float.
template <class A, class B>
struct Common {
    using type = std::common_type_t<A, B>;
};
template <class B>
struct Common<half, B> {
    using type = std::conditional_t<std::is_integral_v<B>, half, B>;
};
template <class A>
struct Common<A, half> : Common<half, A> {};
template <>
struct Common<half, half> {
    using type = half;
};
template <class F, class B>
struct Common<std::complex<F>, B> {
    using type = std::complex<typename Common<F, B>::type>;
};
template <class A, class F>
struct Common<A, std::complex<F>> : Common<std::complex<F>, A> {};
template <class F, class G>
struct Common<std::complex<F>, std::complex<G>> {
    using type = std::complex<typename Common<F, G>::type>;
};

template <class V>
inline constexpr bool is_literal = is_scalar<V> || is_complex<V>;

/// The common type of an expression of type T and a literal of type L: T, but a complex literal makes a real T complex.
template <class T, class L>
struct WithLiteral {
    using type = T;
};
template <class T, class F>
    requires is_scalar<T>
struct WithLiteral<T, std::complex<F>> {
    using type = std::complex<T>;
};

template <class A, class B>
struct Unified {};
template <class T>
struct Unified<Exp<T>, Exp<T>> {
    using type = T;
};
template <class T, class U>
    requires(is_literal<T> && is_literal<U> && !std::is_same_v<T, U>)
struct Unified<Exp<T>, Exp<U>> : Common<T, U> {};
template <class T, class L>
    requires(is_literal<T> && is_literal<L>)
struct Unified<Exp<T>, L> : WithLiteral<T, L> {};
template <class L, class T>
    requires(is_literal<T> && is_literal<L>)
struct Unified<L, Exp<T>> : WithLiteral<T, L> {};
template <class L, class M>
    requires(is_literal<L> && is_literal<M>)
struct Unified<L, M> : Common<L, M> {};

/// Two values of products that are not the same Exp are converted componentwise, to a tuple.
template <class A, class B, class Indices>
struct UnifiedParts;
template <class A, class B, std::size_t... I>
struct UnifiedParts<A, B, std::index_sequence<I...>> {
    using type = std::tuple<
        typename Unified<decltype(component<I>(std::declval<A>())), decltype(component<I>(std::declval<B>()))>::type...>;
};
template <class A, class B>
    requires(!is_literal<A> && !is_literal<B> && !(std::is_same_v<A, B> && is_exp<A>) && value_components<A> != 0 &&
             value_components<A> == value_components<B>)
struct Unified<A, B> {
    using R = typename Reified<A>::type;
    using type = std::conditional_t<std::is_same_v<R, typename Reified<B>::type>, std::type_identity<R>,
                                    UnifiedParts<A, B, std::make_index_sequence<value_components<A>>>>::type;
};

/// The element type to which both a and b are converted.
template <class A, class B>
using unified_t = typename Unified<A, B>::type;

/// At least one Exp; the others are Exps and literals.
template <class... V>
concept ScalarOperands = (is_exp<V> || ...) && ((is_exp<V> || is_literal<V>) && ...);

template <class A, class... B>
struct UnifiedAll {
    using type = A;
};
template <class A, class B, class... C>
struct UnifiedAll<A, B, C...>
    : UnifiedAll<std::conditional_t<is_exp<A> || is_exp<B>, Exp<unified_t<A, B>>, unified_t<A, B>>, C...> {};
/// The element type to which all are converted.
template <class... V>
using unified_all_t = typename Reified<typename UnifiedAll<V...>::type>::type;

/// Records `op` on operands of one type.
template <Op op, class T, class... Ts>
auto record_op(Exp<T> first, Ts... rest) {
    static_assert(is_scalar<T>, "this operation does not exist for products: take the components, or use map");
    if constexpr (is_scalar<T>) {
        constexpr bool accepted = accepts(op, scalar_v<T>);
        if constexpr (op == Op::bit_xor)
            static_assert(accepted, "^ is the exclusive or of the bits of integers: write x * x or pow(x, n) for a power");
        else
            static_assert(accepted, "this operation does not exist for this element type: write cast<U>(x) first");
        using R = std::conditional_t<is_comparison(op), bool, T>;
        Handle operands[] = {first.handles[0], rest.handles[0]...};
        Exp<R> result;
        result.handles[0] = apply(op, scalar_v<R>, operands, 1 + sizeof...(Ts));
        return result;
    } else {
        return first;
    }
}

template <Op op, class F>
auto complex_op(Exp<std::complex<F>> a, Exp<std::complex<F>> b);
template <Op op, class T>
Exp<bool> product_equality(Exp<T> a, Exp<T> b);

/// A complex value times or divided by a real one: componentwise, as in std::complex.
template <Op op, class T, class Real>
Exp<T> scale_complex(Exp<T> z, const Real& factor) {
    Exp<component_t<0, T>> real = convert<component_t<0, T>>(factor);
    return record<T>(record_op<op>(z.template get<0>(), real), record_op<op>(z.template get<1>(), real));
}

template <Op op, class T, class A, class B>
auto complex_binary(const A& a, const B& b) {
    if constexpr ((op == Op::mul || op == Op::div) && value_components<B> == 0)
        return scale_complex<op>(convert<T>(a), b);
    else if constexpr (op == Op::mul && value_components<A> == 0)
        return scale_complex<op>(convert<T>(b), a);
    else
        return complex_op<op>(convert<T>(a), convert<T>(b));
}

/// `op` on expressions and literals, which are first converted to one type.
template <Op op, class... V>
auto meet_and_record(const V&... v) {
    using T = unified_all_t<V...>;
    if constexpr (is_complex<T> && (op == Op::add || op == Op::sub || op == Op::mul || op == Op::div))
        return complex_binary<op, T>(v...);
    else if constexpr (IsProduct<T> && (op == Op::equal || op == Op::not_equal))
        return product_equality<op>(convert<T>(v)...);
    else
        return record_op<op>(convert<T>(v)...);
}

/// The count of a shift takes the type of the shifted value.
template <Op op, class A, class B>
auto record_shift(const A& a, const B& b) {
    using T = std::conditional_t<is_exp<A>, typename Reified<A>::type, typename Reified<B>::type>;
    return record_op<op>(convert<T>(a), convert<T>(b));
}

template <Op op, class A, class B>
Exp<bool> record_logical(const A& a, const B& b) {
    static_assert(std::is_same_v<unified_t<A, B>, bool>, "&& and || need booleans: compare first");
    return record_op<op>(convert<bool>(a), convert<bool>(b));
}

template <Op op, class T>
Exp<bool> product_equality(Exp<T> a, Exp<T> b) {
    constexpr Op combine = op == Op::equal ? Op::bit_and : Op::bit_or;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        Exp<bool> parts[] = {meet_and_record<op>(a.template get<I>(), b.template get<I>())...};
        Exp<bool> result = parts[0];
        for (std::size_t i = 1; i < sizeof...(I); ++i) result = record_op<combine>(result, parts[i]);
        return result;
    }(component_indices<T>{});
}

}  // namespace sinter::detail
