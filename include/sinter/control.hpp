// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control flow on scalars, inside functions: one side evaluated, repetition. On whole arrays: array_control.hpp.
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

/// The values of several states, converted, as leaf handles one after another.
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

    /// What a body returned: one value, or a tuple of one value a state.
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

    /// As the user sees them: an Exp, or a std::tuple of Exps.
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

template <class... S, class Condition, class Body, class... V>
auto scalar_while(location where, Condition& condition, Body& body, const V&... init) {
    StateHandles<S...> states(init...);
    OpenControl control("while_loop", where);
    {
        BlockParameters<S...> parameters;
        close_scalar_block(convert<bool>(parameters.call(condition)));
    }
    {
        BlockParameters<S...> parameters;
        auto next = StateHandles<S...>::from_result(parameters.call(body));
        close_block(next.handles, next.count);
    }
    end_control(Op::while_loop, states.handles, states.count, scalars_of<S...>.scalars, states.count, states.handles);
    return states.values();
}

template <class... S, class Count, class Body, class... V>
auto scalar_for(location where, const Count& count, Body& body, const V&... init) {
    StateHandles<std::int64_t, S...> operands(count, init...);
    OpenControl control("for_loop", where);
    {
        BlockParameters<std::int64_t, S...> parameters;
        auto next = StateHandles<S...>::from_result(parameters.call(body));
        close_block(next.handles, next.count);
    }
    StateHandles<S...> results{Exp<S>{}...};
    end_control(Op::for_loop, operands.handles, operands.count, scalars_of<S...>.scalars, results.count, results.handles);
    return results.values();
}

template <class... V>
concept ScalarStates = sizeof...(V) > 0 && (Expression<V> && ...);

}  // namespace detail

/// f() where c holds, else g(): only that one is evaluated. Both return the same type; literals take the other side's.
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

/// Repeats body while condition holds: both get the states, body returns the next ones (a tuple if there are several).
/// Result: the final states. A state has the type of its initial value.
template <class Condition, class Body, class... S>
    requires detail::ScalarStates<S...>
auto while_loop(Condition&& condition, Body&& body, const S&... init) {
    return detail::scalar_while<detail::state_t<S>...>(location(), condition, body, init...);
}

/// body(i, states...) for i = 0, ..., n - 1; it returns the next states. Result: the final states.
template <detail::SizeLike N, class Body, class... S>
    requires detail::ScalarStates<S...>
auto for_loop(const N& n, Body&& body, const S&... init) {
    return detail::scalar_for<detail::state_t<S>...>(location(), n, body, init...);
}

}  // namespace sinter
