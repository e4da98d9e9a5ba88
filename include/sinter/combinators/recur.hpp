// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recurrences: along an axis, each state is made of the one before it and the elements at its place. A scan's operator has
/// to be associative, so that parts of a line can be combined; here it may be any function, and each line is walked in
/// order. Lines are independent: they are shared among threads and the lanes of vectors.
#pragma once

#include <sinter/combinators/scan.hpp>
#include <sinter/control.hpp>

namespace sinter {

namespace detail {

/// What a recurrence's function of a state and elements E... returns, for a state that begins as V.
template <class F, class... E>
struct NextState {
    template <class... V>
    struct Of {
        using type =
            decltype(detail::call(std::declval<F&>(), std::declval<Exp<state_t<V>>>()..., std::declval<Exp<E>>()...));
    };
};

/// The type of the states: that of the initial one, with literals as wide as F makes them.
template <class F, class V, class... E>
auto state_of() {
    if constexpr (ArrayLike<V>) {
        return std::type_identity<element_t<V>>{};
    } else if constexpr (is_exp<V>) {
        return std::type_identity<reified_t<V>>{};
    } else {
        return []<class S>(States<S>) {
            return std::type_identity<reified_t<S>>{};
        }(widen_states<NextState<F, E...>::template Of>(States<V>{}));
    }
}

/// Initial states: one for all lines, or an array with one per line.
template <class T, int Lines, class V>
Leaves<T> initial_states(const V& init, const char* what, location where) {
    if constexpr (is_slice<V>) {
        static_assert(rank_v<V> == Lines, "recur: initial states are one for all lines, or an array with one per line");
        return Delayed<T, Lines>(init).leaves();
    } else {
        return detail::scalar_leaves<T>(init, what, where);
    }
}

template <class T, class R>
constexpr bool keeps_fractions() {
    if constexpr (same_components<T, R>())
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (keeps_fractions<component_t<I, T>, component_t<I, R>>() && ...);
        }(component_indices<T>{});
    else if constexpr (is_scalar<T> && is_scalar<R>)
        return !(std::is_integral_v<T> && !std::is_integral_v<R>);
    else
        return true;
}

/// From a tuple of arrays and options, the arrays.
template <class O>
auto only_array(const O& option) {
    if constexpr (ScanOption<O>)
        return std::tuple<>();
    else
        return std::tuple<const O&>(option);
}
template <class O>
void only_option(ScanKind& kind, const O& option) {
    if constexpr (ScanOption<O>) set_option(kind, option);
}

template <class F, class Init, class A, class... As>
auto recur_arrays(const char* what, F& f, const Init& init, const ScanKind& kind, location where, const A& a,
                  const As&... as) {
    using T = typename decltype(state_of<F, Init, element_t<A>, element_t<As>...>())::type;
    constexpr int rank = rank_v<A>;
    static_assert(rank > 0, "a recurrence needs arrays of rank 1 at least");
    static_assert(same_rank<A, As...>, "recur: the arrays differ in rank");
    require_same_shape(what, where, a, as...);
    const Leaves<T> inits = initial_states<T, rank - 1>(init, what, where);
    FunctionTrace<T, element_t<A>, element_t<As>...> trace(what, where);
    const auto made = trace.call(f);
    static_assert(keeps_fractions<T, typename std::remove_cvref_t<decltype(made)>::element_type>(),
                  "recur: a state has the type of the initial one, an integer; the function returns a fraction");
    const auto next = convert<T>(made);
    const auto args = list_leaves(a, as...);
    LeafList<leaf_count<T>> out;
    end_recur(trace.serial(), next.handles, {inits.leaf, args.leaf, leaf_count<T>, args.count}, kind, out.leaf);
    return std::pair(std::type_identity<T>{}, out);
}

template <bool Last, class F, class Init, class A, class... Rest>
auto recur_with(const char* what, F& f, const Init& init, location where, const A& a, const Rest&... rest) {
    ScanKind kind{.totals = Last};
    (only_option(kind, rest), ...);
    auto made = std::apply([&](const auto&... as) { return recur_arrays(what, f, init, kind, where, a, as...); },
                           std::tuple_cat(only_array(rest)...));
    using T = typename decltype(made.first)::type;
    return listed_array<T, rank_v<A> - (Last ? 1 : 0)>(made.second, 0);
}

template <class V>
concept RecurOperand = ArrayLike<V> || ScanOption<V>;

}  // namespace detail

/// recur(f, init, a, b, ..., options): along an axis, element i is f(element i - 1, a[i], b[i], ...), and element 0 is
/// f(init, a[0], b[0], ...). f is any function: it need not be associative. A state has the type of init, which may be a
/// tuple; a literal, alone or in a tuple, takes the type that f returns for it, if that is wider. init is a literal, an Exp
/// of the enclosing program, an array of rank 0, or an array of the others' shape without the axis, which has an initial
/// state for every line. All arrays have the same shape, which is also that of the result. Options follow the arrays:
/// axis(k), by default the innermost; from_right, which starts at the other end: element i is f(element i + 1, a[i], b[i],
/// ...).
///
/// A line takes as many sequential steps as it has elements; a scan with an associative operator takes fewer.
template <class F, class Init, class A, class... Rest>
    requires(detail::RecurOperand<Rest> && ...)
auto recur(F&& f, const Init& init, detail::Operand<A> a, const Rest&... rest) {
    return detail::recur_with<false>("recur", f, init, a.where, *a.array, rest...);
}

/// The last states only: f(... f(f(init, a[0], b[0], ...), a[1], b[1], ...) ..., a[n - 1], b[n - 1], ...), or init where
/// there is no element. Shape: that of the arrays without the axis. Compare std::ranges::fold_left.
template <class F, class Init, class A, class... Rest>
    requires(detail::RecurOperand<Rest> && ...)
auto fold_left(F&& f, const Init& init, detail::Operand<A> a, const Rest&... rest) {
    return detail::recur_with<true>("fold_left", f, init, a.where, *a.array, rest...);
}

}  // namespace sinter
