// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Records derivatives: the function is called once, in a scope of its own.
#pragma once

#include <sinter/array_control.hpp>
#include <sinter/compile.hpp>
#include <sinter/control.hpp>

namespace sinter::detail {

/// The leaves that belong to the arguments number I...
template <class Numbers, class... T>
struct ActiveLeaves;
template <int... I, class... T>
struct ActiveLeaves<std::integer_sequence<int, I...>, T...> {
    static constexpr std::size_t count = (leaf_count<T> + ...);
    bool by[count] = {};
    constexpr ActiveLeaves() {
        std::size_t next = 0;
        int number = 0;
        auto mark = [&](std::size_t leaves) {
            for (std::size_t k = 0; k < leaves; ++k) by[next++] = ((I == number) || ...);
            ++number;
        };
        (mark(leaf_count<T>), ...);
    }
};

template <int I, class... T>
using argument_t = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<T...>>;

template <int... I, class... A>
constexpr bool check_arguments(std::integer_sequence<int, I...>, const std::tuple<A...>*) {
    static_assert(((I >= 0 && static_cast<std::size_t>(I) < sizeof...(A)) && ...),
                  "a derivative by argument I: the function has no such argument, they are numbered from 0");
    if constexpr (((I >= 0 && static_cast<std::size_t>(I) < sizeof...(A)) && ...))
        static_assert((has_float<argument_t<I, A...>> && ...),
                      "a derivative by an argument without floating-point elements");
    return true;
}

// On arrays

/// f, recorded as the function of a derivative at these arguments.
template <class F, class... A>
class DerivativeScope {
  public:
    using Arguments = StateLeaves<A...>;
    using R = std::remove_cvref_t<decltype(std::declval<const Arguments&>().call(std::declval<F&>()))>;
    using Results = typename SidesOf<R>::leaves;

    DerivativeScope(const char* what, location where, F& f, const A&... a)
        : args_(leaves(what, where, a...)), control_(what, where) {
        open_derivative_scope();
        Results results;
        results.push_result(args_.parameters().call(f), what, where);
        close_scope(results.leaf, results.count);
    }

    /// {values, adjoints of the arguments number I...}; seeds: one per leaf of the results.
    template <int... I>
    auto reverse(std::integer_sequence<int, I...> numbers, const LeafRef* seeds) const {
        static constexpr ActiveLeaves<decltype(numbers), state_element_t<A>...> active;
        Results values;
        LeafRef adjoints[Arguments::count];
        end_derivative({false, Arguments::count, active.by}, args_.leaf, seeds, values.leaf, adjoints);
        const LeafRef* next = adjoints;
        auto one = [&]<class S>(const ArrayState<S>*) {
            Leaves<state_element_t<S>> leaves;
            for (auto& leaf : leaves.leaf) leaf = *next++;
            return state_array_t<S>(std::move(leaves));
        };
        return std::pair{values.arrays(), std::tuple{one(static_cast<const ArrayState<argument_t<I, A...>>*>(nullptr))...}};
    }

    /// {values, tangents}; seeds: one per leaf of the arguments.
    auto forward(const LeafRef* seeds) const {
        static constexpr ActiveLeaves<std::make_integer_sequence<int, sizeof...(A)>, state_element_t<A>...> active;
        Results values, tangents;
        end_derivative({true, Arguments::count, active.by}, args_.leaf, seeds, values.leaf, tangents.leaf);
        return std::pair{values.arrays(), tangents.arrays()};
    }

  private:
    static Arguments leaves(const char* what, location where, const A&... a) {
        Arguments made;
        (made.template push<A>(a, what, where), ...);
        return made;
    }

    Arguments args_;
    OpenControl control_;
};

// On scalars

/// Scalars in a function or program, at least one of them an Exp.
template <class... A>
concept ScalarArguments = (Expression<A> && ...) && (is_exp<A> || ...);

/// f returns an array, given scalars. Its derivative is one of arrays then.
template <class F, class... A>
concept MakesArrays =
    ScalarArguments<A...> && ArrayLike<std::remove_cvref_t<std::invoke_result_t<F&, Exp<reified_t<A>>...>>>;

template <class F, class... T>
class DerivativeBlock {
  public:
    using R = reified_t<decltype(detail::call(std::declval<F&>(), std::declval<Exp<T>>()...))>;

    DerivativeBlock(const char* what, location where, F& f, const Exp<T>&... a) : args_(a...), control_(what, where) {
        BlockParameters<T...> parameters;
        close_scalar_block(convert<R>(parameters.call(f)));
    }

    template <int... I>
    auto reverse(std::integer_sequence<int, I...> numbers, const Exp<R>& seed) const {
        static constexpr ActiveLeaves<decltype(numbers), T...> active;
        Exp<R> value;
        Handle adjoints[decltype(active)::count];
        end_scalar_derivative({false, decltype(active)::count, active.by}, args_.handles, seed.handles, value.handles,
                              adjoints);
        const Handle* next = adjoints;
        auto one = [&]<class S>(const Exp<S>*) {
            Exp<S> e;
            for (Handle& handle : e.handles) handle = *next++;
            return e;
        };
        return std::pair{value, std::tuple{one(static_cast<const Exp<argument_t<I, T...>>*>(nullptr))...}};
    }

    std::pair<Exp<R>, Exp<R>> forward(const Exp<T>&... tangents) const {
        static constexpr ActiveLeaves<std::make_integer_sequence<int, sizeof...(T)>, T...> active;
        const StateHandles<T...> seeds(tangents...);
        std::pair<Exp<R>, Exp<R>> made;
        end_scalar_derivative({true, decltype(active)::count, active.by}, args_.handles, seeds.handles, made.first.handles,
                              made.second.handles);
        return made;
    }

  private:
    StateHandles<T...> args_;
    OpenControl control_;
};

// grad

/// What stands for the result where the arguments of f are given to what makes a function of f.
template <class F, class A, class... B>
auto derivative_of_arguments(const A& first, const B&...) {
    static_assert(never<F>,
                  "grad, value_and_grad, jacobian, hessian, checkpoint and rules of derivatives make functions: write "
                  "grad(f)(x), with the arguments after the function");
    return first;
}

template <class T>
concept FloatingScalar = is_scalar<T> && has_float<T>;

template <class R>
inline constexpr bool is_gradable = false;
template <ArrayLike R>
inline constexpr bool is_gradable<R> = rank_v<R> == 0 && FloatingScalar<element_t<R>>;
template <Expression R>
inline constexpr bool is_gradable<R> = FloatingScalar<reified_t<R>>;

template <class R>
constexpr void check_gradable() {
    static_assert(
        is_gradable<R>,
        "grad: the function returns one floating-point number, an Exp or an array of rank 0; write vjp or jacobian "
        "for others");
}

/// {value, adjoints of arguments I...} of a function that returns one number.
template <class Numbers, class F, class... A>
auto gradient(location where, F& f, const A&... a) {
    if constexpr (ScalarArguments<A...> && !MakesArrays<F, A...>) {
        check_arguments(Numbers(), static_cast<const std::tuple<reified_t<A>...>*>(nullptr));
        const DerivativeBlock<F, reified_t<A>...> block("grad", where, f, convert<reified_t<A>>(a)...);
        using R = typename decltype(block)::R;
        check_gradable<Exp<R>>();
        return block.reverse(Numbers(), Exp<R>(R(1)));
    } else {
        check_arguments(Numbers(), static_cast<const std::tuple<state_element_t<A>...>*>(nullptr));
        const DerivativeScope<F, A...> scope("grad", where, f, a...);
        using R = typename decltype(scope)::R;
        check_gradable<R>();
        using T = state_element_t<R>;
        return scope.reverse(Numbers(), scalar_leaves<T>(T(1), "grad", where).leaf);
    }
}

/// One value as it is, several as a std::tuple.
template <class... T>
auto one_or_all(std::tuple<T...>&& all) {
    if constexpr (sizeof...(T) == 1)
        return std::get<0>(std::move(all));
    else
        return std::move(all);
}

struct TakeGradient {
    template <class V, class D>
    static auto of(std::pair<V, D>&& made) {
        return one_or_all(std::move(made.second));
    }
};
struct TakeValueAndGradient {
    template <class V, class D>
    static auto of(std::pair<V, D>&& made) {
        return std::pair{std::move(made.first), one_or_all(std::move(made.second))};
    }
};

/// The gradient of f, as a function with f's parameters. Where these have types, it has the same types, so that compile
/// needs no others.
template <class Take, class Numbers, class F, class Parameters>
class Gradient;
template <class Take, class Numbers, class F>
class Gradient<Take, Numbers, F, void> {
  public:
    Gradient(F f, location where) : f_(std::move(f)), where_(where) {}
    template <class... A>
    auto operator()(const A&... a) const {
        return Take::of(gradient<Numbers>(where_, f_, a...));
    }

  private:
    F f_;
    location where_;
};
template <class Take, class Numbers, class F, class... P>
class Gradient<Take, Numbers, F, std::tuple<P...>> {
  public:
    Gradient(F f, location where) : f_(std::move(f)), where_(where) {}
    auto operator()(const P&... a) const { return Take::of(gradient<Numbers>(where_, f_, a...)); }

  private:
    F f_;
    location where_;
};

template <class F>
struct ParametersOf {
    using type = void;
};
template <HasSignature F>
struct ParametersOf<F> {
    using type = std::remove_pointer_t<typename Signature<F>::parameters>;
};

template <int... I>
struct ArgumentNumbers {
    using type = std::integer_sequence<int, I...>;
};
template <>
struct ArgumentNumbers<> {
    using type = std::integer_sequence<int, 0>;
};

template <class Take, class F, int... I>
auto make_gradient(F&& f, location where) {
    using Function = std::decay_t<F>;
    return Gradient<Take, typename ArgumentNumbers<I...>::type, Function, typename ParametersOf<Function>::type>(
        std::forward<F>(f), where);
}

}  // namespace sinter::detail
