// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control flow on arrays: as in control.hpp, where states or results are arrays. Bodies are nested scopes of the graph,
/// which see the arrays of the outer scope. States keep their rank from one iteration to the next. Where it cannot be seen
/// that they keep an extent as well, the extent is computed with them, and the functions may be called once more to find out
/// what they do with other extents.
#pragma once

#include <sinter/combinators/fold.hpp>

namespace sinter {

namespace detail {

/// What a state or result becomes: an array of its own element type and rank; an Exp or literal becomes an array of rank 0.
template <class V>
struct ArrayState {};
template <ArrayLike A>
struct ArrayState<A> {
    using element = element_t<A>;
    static constexpr int rank = rank_v<A>;
};
template <Expression V>
struct ArrayState<V> {
    using element = reified_t<V>;
    static constexpr int rank = 0;
};

template <class V>
concept StateLike = ArrayLike<V> || Expression<V>;
template <class... V>
concept ArrayStates = (ArrayLike<V> || ...) && (StateLike<V> && ...);

template <class V>
using state_element_t = typename ArrayState<V>::element;
template <class V>
using state_array_t = Delayed<state_element_t<V>, ArrayState<V>::rank>;

template <class T, int Rank, class V>
Leaves<T> state_leaves(const V& value, const char* what, location where) {
    if constexpr (Rank == 0) {
        return scalar_leaves<T>(value, what, where);
    } else {
        static_assert(ArrayLike<V>,
                      "a loop's next state, both sides of cond, and the adjoint that a rule returns are arrays where "
                      "the state, the other side or the argument is one");
        if constexpr (!ArrayLike<V>) {
            return Leaves<T>();
        } else {
            static_assert(rank_v<V> == Rank,
                          "a state keeps its rank, both sides of cond have the same, and so have an argument and the "
                          "adjoint that a rule returns for it");
            if constexpr (std::is_same_v<element_t<V>, T>)
                return value.leaves();
            else
                return lift(what, where, [](const auto& x) { return convert<T>(x); }, value).leaves();
        }
    }
}

/// The leaves of states V... one after another.
template <class... V>
struct StateLeaves {
    static constexpr std::size_t count = (leaf_count<state_element_t<V>> + ...);
    LeafRef leaf[count];
    std::size_t filled = 0;

    template <class S, class Value>
    void push(const Value& value, const char* what, location where) {
        auto leaves = state_leaves<state_element_t<S>, ArrayState<S>::rank>(value, what, where);
        for (auto& one : leaves.leaf) leaf[filled++] = std::move(one);
    }

    /// Takes what a body returned: one value, or a tuple of one value per state.
    template <class R>
    void push_result(const R& result, const char* what, location where) {
        if constexpr (sizeof...(V) == 1) {
            (push<V>(result, what, where), ...);
        } else if constexpr (is_exp<R>) {
            static_assert(value_components<R> == sizeof...(V), "the body of a loop returns one value per state");
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (push<V>(component<I>(result), what, where), ...);
            }(std::index_sequence_for<V...>{});
        } else {
            static_assert(std::tuple_size_v<R> == sizeof...(V), "the body of a loop returns a tuple of one value per state");
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (push<V>(std::get<I>(result), what, where), ...);
            }(std::index_sequence_for<V...>{});
        }
    }

    /// Fresh parameters of the innermost scope, for the states of a loop that begins with these.
    StateLeaves parameters() const {
        StateLeaves fresh;
        for (; fresh.filled < count; ++fresh.filled) fresh.leaf[fresh.filled] = state_parameter(leaf, fresh.filled);
        return fresh;
    }

    /// f(first..., states...): arrays as Delayed, scalars as Exp.
    template <class F, class... First>
    auto call(F& f, const First&... first) const {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return f(first..., argument<V>(first_leaf<K>(static_cast<std::tuple<state_element_t<V>...>*>(nullptr)))...);
        }(std::index_sequence_for<V...>{});
    }

    /// The states as the user sees them: a Delayed, or a std::tuple of several.
    auto arrays() const {
        if constexpr (sizeof...(V) == 1) {
            return array<V...>(0);
        } else {
            return [&]<std::size_t... K>(std::index_sequence<K...>) {
                return std::tuple(array<V>(first_leaf<K>(static_cast<std::tuple<state_element_t<V>...>*>(nullptr)))...);
            }(std::index_sequence_for<V...>{});
        }
    }

  private:
    template <class S>
    state_array_t<S> array(std::size_t first) const {
        Leaves<state_element_t<S>> leaves;
        for (auto& one : leaves.leaf) one = leaf[first++];
        return state_array_t<S>(std::move(leaves));
    }
    template <class S>
    auto argument(std::size_t first) const {
        if constexpr (ArrayLike<S>)
            return array<S>(first);
        else
            return array<S>(first)();
    }
};

/// What a body of arrays returns for states V..., as StateLeaves::call calls it.
template <class F, class... First>
struct ArrayReturnedBy {
    template <class V>
    static auto argument() {
        if constexpr (ArrayLike<V>)
            return std::type_identity<state_array_t<V>>{};
        else
            return std::type_identity<Exp<state_element_t<V>>>{};
    }
    /// Whether the body has the right parameters for these states.
    template <class... V>
    static constexpr bool exists = std::is_invocable_v<F&, First..., typename decltype(argument<V>())::type...>;

    template <class... V>
    struct Of {
        using type = decltype(std::declval<F&>()(std::declval<First>()...,
                                                 std::declval<typename decltype(argument<V>())::type>()...));
    };
};

/// What stands for the results of a loop whose body or condition has other parameters.
template <class... V>
auto loop_of_wrong_body() {
    static_assert(
        never<V...>,
        "the body and the condition of a loop take the states, after the index of a for_loop: one that begins as an array "
        "of rank 0 is a Delayed<T, 0>, one that begins as a number is an Exp<T>; or write auto");
    return StateLeaves<V...>().arrays();
}

template <class... V, class Condition, class Body, class... Init>
auto array_while_of(States<V...>, location where, Condition& condition, Body& body, const Init&... init) {
    StateLeaves<V...> states, results;
    (states.template push<V>(init, "while_loop", where), ...);
    OpenControl control("while_loop", where);
    do {
        StateLeaves<V...> next;
        open_scope();
        auto test = scalar_leaves<bool>(states.parameters().call(condition), "while_loop", where);
        close_scope(test.leaf, 1);
        open_scope();
        auto result = states.parameters().call(body);
        refuse_narrowing<decltype(result), state_element_t<V>...>(std::index_sequence_for<V...>{});
        next.push_result(result, "while_loop", where);
        close_scope(next.leaf, next.count);
    } while (!states_fit(states.leaf, states.count));
    end_scopes(Op::while_loop, LeafRef(), states.leaf, states.count, results.leaf);
    return results.arrays();
}

template <class Condition, class Body, class... V>
auto array_while(location where, Condition& condition, Body& body, const V&... init) {
    if constexpr (ArrayReturnedBy<Body>::template exists<V...> && ArrayReturnedBy<Condition>::template exists<V...>) {
        auto states = widen_states<ArrayReturnedBy<Body>::template Of>(States<V...>{});
        return array_while_of(states, where, condition, body, init...);
    } else {
        return loop_of_wrong_body<V...>();
    }
}

template <class... V, class N, class Body, class... Init>
auto array_for_of(States<V...>, location where, const N& n, Body& body, const Init&... init) {
    StateLeaves<V...> states, results;
    auto count = scalar_leaves<std::int64_t>(n, "for_loop", where);
    (states.template push<V>(init, "for_loop", where), ...);
    OpenControl control("for_loop", where);
    do {
        StateLeaves<V...> next;
        open_scope();
        Exp<std::int64_t> index;
        index.handles[0] = read(scope_parameter(count.leaf[0]), nullptr, 0);
        auto result = states.parameters().call(body, index);
        refuse_narrowing<decltype(result), state_element_t<V>...>(std::index_sequence_for<V...>{});
        next.push_result(result, "for_loop", where);
        close_scope(next.leaf, next.count);
    } while (!states_fit(states.leaf, states.count));
    end_scopes(Op::for_loop, count.leaf[0], states.leaf, states.count, results.leaf);
    return results.arrays();
}

template <class N, class Body, class... V>
auto array_for(location where, const N& n, Body& body, const V&... init) {
    using Returned = ArrayReturnedBy<Body, Exp<std::int64_t>>;
    if constexpr (Returned::template exists<V...>) {
        auto states = widen_states<Returned::template Of>(States<V...>{});
        return array_for_of(states, where, n, body, init...);
    } else {
        return loop_of_wrong_body<V...>();
    }
}

template <class R>
struct SidesOf {
    using leaves = StateLeaves<R>;
};
template <class... R>
    requires(!Expression<std::tuple<R...>>)
struct SidesOf<std::tuple<R...>> {
    using leaves = StateLeaves<R...>;
};

template <class Leaves, class F>
void record_side(F& f, location where) {
    open_scope();
    Leaves results;
    results.push_result(f(), "cond", where);
    close_scope(results.leaf, results.count);
}

/// The condition of cond: an Exp of the enclosing program, or an array of rank 0.
template <class C>
concept ConditionLike = std::is_same_v<C, Exp<bool>> || (ArrayLike<C> && std::is_same_v<state_element_t<C>, bool>);
template <class N>
concept CountLike = SizeLike<N> || (ArrayLike<N> && ArrayState<N>::rank == 0);

template <class F>
using returned_t = std::remove_cvref_t<std::invoke_result_t<F&>>;

}  // namespace detail

/// f() where c holds, else g(): arrays (or tuples of arrays) of the same type and rank. Only one side is computed. Where
/// their extents are not known to be equal, it becomes two loops of one iteration or none, one for each side.
template <detail::ConditionLike C, class F, class G>
    requires(ArrayLike<C> || !Expression<detail::returned_t<F>>)
auto cond(const C& c, F&& f, G&& g, location where = location::current()) {
    using Sides = typename detail::SidesOf<detail::returned_t<F>>::leaves;
    auto condition = detail::scalar_leaves<bool>(c, "cond", where);
    detail::OpenControl control("cond", where);
    detail::record_side<Sides>(f, where);
    detail::record_side<Sides>(g, where);
    Sides results;
    detail::end_scopes(detail::Op::cond, condition.leaf[0], nullptr, results.count, results.leaf);
    return results.arrays();
}

/// Repeats body while condition holds, as while_loop of scalars does. States given as literals or Exps are Exps in the
/// functions; all results are arrays. If there are more than two states, one of the first two has to be an array: it brings
/// the place of the call.
template <class Condition, class Body, class S>
    requires detail::ArrayStates<S>
auto while_loop(Condition&& condition, Body&& body, const S& init, location where = location::current()) {
    return detail::array_while(where, condition, body, init);
}
template <class Condition, class Body, class S1, class S2>
    requires detail::ArrayStates<S1, S2>
auto while_loop(Condition&& condition, Body&& body, const S1& s1, const S2& s2, location where = location::current()) {
    return detail::array_while(where, condition, body, s1, s2);
}
template <class Condition, class Body, class A, class... S>
    requires(sizeof...(S) > 1 && (detail::StateLike<S> && ...))
auto while_loop(Condition&& condition, Body&& body, detail::Operand<A> first, const S&... init) {
    return detail::array_while(first.where, condition, body, *first.array, init...);
}
template <class Condition, class Body, Expression V, class A, class... S>
    requires(sizeof...(S) > 0 && (detail::StateLike<S> && ...))
auto while_loop(Condition&& condition, Body&& body, const V& first, detail::Operand<A> second, const S&... init) {
    return detail::array_while(second.where, condition, body, first, *second.array, init...);
}
template <class Condition, class Body, Expression V, Expression W, class... S>
    requires detail::ArrayStates<S...>
auto while_loop(Condition&& condition, Body&& body, const V& first, const W& second, const S&... init) {
    return detail::array_while(location(), condition, body, first, second, init...);
}

/// Computes body(i, states...) for i = 0, ..., n - 1, as for_loop of scalars does; all results are arrays.
template <detail::CountLike N, class Body, class S>
    requires(detail::ArrayStates<S> || (ArrayLike<N> && Expression<S>))
auto for_loop(const N& n, Body&& body, const S& init, location where = location::current()) {
    return detail::array_for(where, n, body, init);
}
template <detail::CountLike N, class Body, class S1, class S2>
    requires detail::ArrayStates<S1, S2>
auto for_loop(const N& n, Body&& body, const S1& s1, const S2& s2, location where = location::current()) {
    return detail::array_for(where, n, body, s1, s2);
}
template <detail::CountLike N, class Body, class A, class... S>
    requires(sizeof...(S) > 1 && (detail::StateLike<S> && ...))
auto for_loop(const N& n, Body&& body, detail::Operand<A> first, const S&... init) {
    return detail::array_for(first.where, n, body, *first.array, init...);
}
template <detail::CountLike N, class Body, Expression V, class A, class... S>
    requires(sizeof...(S) > 0 && (detail::StateLike<S> && ...))
auto for_loop(const N& n, Body&& body, const V& first, detail::Operand<A> second, const S&... init) {
    return detail::array_for(second.where, n, body, first, *second.array, init...);
}
template <detail::CountLike N, class Body, Expression V, Expression W, class... S>
    requires detail::ArrayStates<S...>
auto for_loop(const N& n, Body&& body, const V& first, const W& second, const S&... init) {
    return detail::array_for(location(), n, body, first, second, init...);
}

}  // namespace sinter
