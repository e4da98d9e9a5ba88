// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control flow on scalars, inside functions: branches of which one side is evaluated, and loops. For whole arrays see
/// array_control.hpp.
#pragma once

#include <sinter/detail/control.hpp>
#include <sinter/detail/function.hpp>
#include <sinter/math.hpp>

namespace sinter {

namespace detail {

/// The type of a loop's state: that of its initial value.
template <class V>
using state_t = typename Reified<V>::type;

template <class T>
void close_scalar_block(const Exp<T>& result) {
    close_block(result.handles, result.leaves);
}

template <class... T>
struct BlockParameters {
    Handle handles[(leaf_count<T> + ...)];

    BlockParameters() { open_block(scalars_of<T...>.scalars, scalars_of<T...>.count, handles); }

    template <class F>
    auto call(F& f) const {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return detail::call(f, parameter<T>(first_leaf<K>(static_cast<std::tuple<T...>*>(nullptr)))...);
        }(std::index_sequence_for<T...>{});
    }

  private:
    template <class P>
    Exp<P> parameter(std::size_t first) const {
        Exp<P> e;
        for (std::size_t i = 0; i < e.leaves; ++i) e.handles[i] = handles[first + i];
        return e;
    }
};

/// The values of several states, converted, as consecutive leaf handles.
template <class... S>
struct StateHandles {
    static constexpr std::size_t count = (leaf_count<S> + ...);
    Handle handles[count];

    template <class... V>
    explicit StateHandles(const V&... value) {
        std::size_t position = 0;
        auto put = [&](const auto& e) {
            for (const Handle& handle : e.handles) handles[position++] = handle;
        };
        (put(convert<S>(value)), ...);
    }

    /// Takes what a body returned: one value, or a tuple of one value per state.
    template <class R>
    static StateHandles from_result(const R& result) {
        if constexpr (sizeof...(S) == 1) {
            return StateHandles(result);
        } else {
            static_assert(value_components<R> == sizeof...(S),
                          "the body of a loop returns a tuple of as many values as there are states");
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                return StateHandles(component<I>(result)...);
            }(std::index_sequence_for<S...>{});
        }
    }

    /// The states as the user sees them: an Exp, or a std::tuple of Exps.
    auto values() const {
        if constexpr (sizeof...(S) == 1) {
            return value<S...>(0);
        } else {
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                return std::tuple(value<S>(first_leaf<I>(static_cast<std::tuple<S...>*>(nullptr)))...);
            }(std::index_sequence_for<S...>{});
        }
    }

  private:
    template <class T>
    Exp<T> value(std::size_t first) const {
        Exp<T> e;
        for (std::size_t i = 0; i < e.leaves; ++i) e.handles[i] = handles[first + i];
        return e;
    }
};

/// True if both are products of as many components.
template <class T, class S>
constexpr bool same_components() {
    if constexpr (IsProduct<T> && IsProduct<S>)
        return component_count<T> == component_count<S>;
    else
        return false;
}

/// True if T holds more than S, or a component of T more than that of S, so that a T which becomes an S is narrowed.
template <class T, class S>
constexpr bool is_wider() {
    if constexpr (same_components<T, S>())
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (is_wider<component_t<I, T>, component_t<I, S>>() || ...);
        }(component_indices<S>{});
    else if constexpr (!is_scalar<T> || !is_scalar<S>)
        return false;
    else if constexpr (std::is_integral_v<T> != std::is_integral_v<S>)
        return std::is_integral_v<S>;
    else if constexpr (std::is_same_v<S, bool>)
        return !std::is_same_v<T, bool>;
    else
        return sizeof(T) > sizeof(S);
}

/// In place of an element type: that of a literal, which takes any type.
struct AnyElement {};

/// The element type of one component of what a loop's body returns.
template <class R>
struct ReturnedElement {
    using type = AnyElement;
};
template <class... R>
struct ReturnedElement<std::tuple<R...>> {
    using type = std::tuple<typename ReturnedElement<R>::type...>;
};
template <class A, class B>
struct ReturnedElement<std::pair<A, B>> {
    using type = std::tuple<typename ReturnedElement<A>::type, typename ReturnedElement<B>::type>;
};
template <class R, std::size_t N>
struct ReturnedElement<std::array<R, N>> : Repeat<typename ReturnedElement<R>::type, std::make_index_sequence<N>> {
    using type = typename ReturnedElement::Components;
};
template <class T>
struct ReturnedElement<Exp<T>> {
    using type = T;
};
template <ArrayLike A>
struct ReturnedElement<A> {
    using type = element_t<A>;
};

template <class R, std::size_t I, std::size_t Count>
auto returned_component() {
    if constexpr (Count == 1)
        return std::type_identity<typename ReturnedElement<R>::type>{};
    else if constexpr (is_exp<R>) {
        if constexpr (value_components<R> == Count)
            return std::type_identity<component_t<I, typename R::element_type>>{};
        else
            return std::type_identity<AnyElement>{};
    } else if constexpr (requires { std::tuple_size<R>::value; }) {
        if constexpr (std::tuple_size_v<R> == Count)
            return std::type_identity<typename ReturnedElement<std::remove_cvref_t<std::tuple_element_t<I, R>>>::type>{};
        else
            return std::type_identity<AnyElement>{};
    } else {
        return std::type_identity<AnyElement>{};
    }
}
template <class R, std::size_t I, std::size_t Count>
using returned_component_t = typename decltype(returned_component<std::remove_cvref_t<R>, I, Count>())::type;

/// A state that begins as a literal has the type that the body gives it, if that type is wider; so has a literal in a tuple,
/// a pair or an array.
template <class V, class T>
struct Widened {
    using type = std::conditional_t<is_scalar<V> && is_wider<T, V>(), T, V>;
};
template <class V, class T>
using widened_t = typename Widened<V, T>::type;
template <class... V, class T>
    requires(same_components<std::tuple<V...>, T>())
struct Widened<std::tuple<V...>, T> {
    template <std::size_t... I>
    static std::tuple<widened_t<V, component_t<I, T>>...> widen(std::index_sequence<I...>);
    using type = decltype(widen(std::index_sequence_for<V...>{}));
};
template <class A, class B, class T>
    requires(same_components<std::pair<A, B>, T>())
struct Widened<std::pair<A, B>, T> {
    using type = std::pair<widened_t<A, component_t<0, T>>, widened_t<B, component_t<1, T>>>;
};
template <class V, std::size_t N, class T>
    requires(N > 0 && same_components<std::array<V, N>, T>())
struct Widened<std::array<V, N>, T> {
    using type = std::array<widened_t<V, component_t<0, T>>, N>;
};

template <class... V>
struct States {};

template <class R, class... V, std::size_t... I>
auto widen_once(States<V...>, std::index_sequence<I...>) {
    return States<widened_t<V, returned_component_t<R, I, sizeof...(V)>>...>{};
}

/// The states V... of a loop, with literals as wide as the body makes them. Returned<V...> is what the body returns for
/// these.
template <template <class...> class Returned, class... V>
auto widen_states(States<V...> states) {
    using R = typename Returned<V...>::type;
    auto next = widen_once<R>(states, std::index_sequence_for<V...>{});
    if constexpr (std::is_same_v<decltype(next), States<V...>>)
        return states;
    else
        return widen_states<Returned>(next);
}

template <class R, class... S, std::size_t... I>
constexpr void refuse_narrowing(std::index_sequence<I...>) {
    static_assert((!is_wider<returned_component_t<R, I, sizeof...(S)>, S>() && ...),
                  "a state of a loop keeps the type of its initial value, and the body returns a wider one: write "
                  "cast<T>(init) of the initial value, with the type that the body returns, or cast what it returns");
}

template <class F, class... First>
struct ReturnedBy {
    template <class... V>
    struct Of {
        using type =
            decltype(detail::call(std::declval<F&>(), std::declval<Exp<First>>()..., std::declval<Exp<state_t<V>>>()...));
    };
};

template <class... S, class Condition, class Body, class... V>
auto scalar_while(location where, Condition& condition, Body& body, const V&... init) {
    OpenControl control("while_loop", where);
    StateHandles<S...> states(init...);
    {
        BlockParameters<S...> parameters;
        close_scalar_block(convert<bool>(parameters.call(condition)));
    }
    {
        BlockParameters<S...> parameters;
        auto result = parameters.call(body);
        refuse_narrowing<decltype(result), S...>(std::index_sequence_for<S...>{});
        auto next = StateHandles<S...>::from_result(result);
        close_block(next.handles, next.count);
    }
    end_control(Op::while_loop, states.handles, states.count, scalars_of<S...>.scalars, states.count, states.handles);
    return states.values();
}

template <class... S, class Count, class Body, class... V>
auto scalar_for(location where, const Count& count, Body& body, const V&... init) {
    OpenControl control("for_loop", where);
    StateHandles<std::int64_t, S...> operands(count, init...);
    {
        BlockParameters<std::int64_t, S...> parameters;
        auto result = parameters.call(body);
        refuse_narrowing<decltype(result), S...>(std::index_sequence_for<S...>{});
        auto next = StateHandles<S...>::from_result(result);
        close_block(next.handles, next.count);
    }
    StateHandles<S...> results{Exp<S>{}...};
    end_control(Op::for_loop, operands.handles, operands.count, scalars_of<S...>.scalars, results.count, results.handles);
    return results.values();
}

template <class Condition, class Body, class... S>
auto widened_while(location where, Condition& condition, Body& body, const S&... init) {
    return [&]<class... V>(States<V...>) {
        return scalar_while<state_t<V>...>(where, condition, body, init...);
    }(widen_states<ReturnedBy<Body>::template Of>(States<S...>{}));
}

template <class Count, class Body, class... S>
auto widened_for(location where, const Count& count, Body& body, const S&... init) {
    return [&]<class... V>(States<V...>) {
        return scalar_for<state_t<V>...>(where, count, body, init...);
    }(widen_states<ReturnedBy<Body, std::int64_t>::template Of>(States<S...>{}));
}

template <class... V>
concept ScalarStates = sizeof...(V) > 0 && (Expression<V> && ...);

}  // namespace detail

/// f() where c holds, else g(): only that side is evaluated. Both return the same type; a literal takes the type of the
/// other side.
template <class F, class G>
    requires(Expression<std::invoke_result_t<F&>> && Expression<std::invoke_result_t<G&>>)
auto cond(Exp<bool> c, F&& f, G&& g, location where = location::current()) {
    using T =
        detail::unified_t<std::remove_cvref_t<std::invoke_result_t<F&>>, std::remove_cvref_t<std::invoke_result_t<G&>>>;
    detail::OpenControl control("cond", where);
    detail::open_block(nullptr, 0, nullptr);
    detail::close_scalar_block(detail::convert<T>(f()));
    detail::open_block(nullptr, 0, nullptr);
    detail::close_scalar_block(detail::convert<T>(g()));
    Exp<T> result;
    constexpr auto& types = detail::scalars_of<T>;
    detail::end_control(detail::Op::cond, c.handles, 1, types.scalars, types.count, result.handles);
    return result;
}

/// Repeats body while condition holds: both get the states, and body returns the next ones (a tuple if there are several).
/// Returns the final states. A state has the type of its initial value; one that begins as a literal takes the type that the
/// body returns for it if that is wider.
template <class Condition, class Body, class... S>
    requires detail::ScalarStates<S...>
auto while_loop(Condition&& condition, Body&& body, const S&... init) {
    return detail::widened_while(location(), condition, body, init...);
}
template <class Condition, class Body, Expression S>
auto while_loop(Condition&& condition, Body&& body, const S& init, location where = location::current()) {
    return detail::widened_while(where, condition, body, init);
}
template <class Condition, class Body, Expression S1, Expression S2>
auto while_loop(Condition&& condition, Body&& body, const S1& s1, const S2& s2, location where = location::current()) {
    return detail::widened_while(where, condition, body, s1, s2);
}

/// Computes body(i, states...) for i = 0, ..., n - 1; body returns the next states. Returns the final states.
template <detail::SizeLike N, class Body, class... S>
    requires detail::ScalarStates<S...>
auto for_loop(const N& n, Body&& body, const S&... init) {
    return detail::widened_for(location(), n, body, init...);
}
template <detail::SizeLike N, class Body, Expression S>
auto for_loop(const N& n, Body&& body, const S& init, location where = location::current()) {
    return detail::widened_for(where, n, body, init);
}
template <detail::SizeLike N, class Body, Expression S1, Expression S2>
auto for_loop(const N& n, Body&& body, const S1& s1, const S2& s2, location where = location::current()) {
    return detail::widened_for(where, n, body, s1, s2);
}

}  // namespace sinter
