// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions that define their own derivative, or what reverse mode keeps for it.
#pragma once

#include <sinter/combinators/derivative.hpp>

namespace sinter {

namespace detail {

/// The arguments that a rule of reverse mode returns adjoints for, as states.
template <class Kept, class... A>
struct FloatingStates;
template <class... Kept>
struct FloatingStates<std::tuple<Kept...>> {
    static_assert(sizeof...(Kept) > 0, "custom_vjp: no argument has floating-point elements");
    using leaves = StateLeaves<Kept...>;
    static constexpr std::size_t count = sizeof...(Kept);
};
template <class... Kept, class A, class... Rest>
struct FloatingStates<std::tuple<Kept...>, A, Rest...>
    : FloatingStates<std::conditional_t<has_float<state_element_t<A>>, std::tuple<Kept..., A>, std::tuple<Kept...>>,
                     Rest...> {};

template <class Rule, class... A>
concept RuleFor = requires(Rule& rule, const A&... a) { rule(a...); };

/// Whether a rule that returns R returns this many adjoints.
template <class R, std::size_t Count>
constexpr bool returns_adjoints() {
    if constexpr (Count == 1)
        return StateLike<R>;
    else if constexpr (is_exp<R>)
        return value_components<R> == Count;
    else if constexpr (requires { std::tuple_size<R>::value; })
        return std::tuple_size_v<R> == Count;
    else
        return false;
}

/// f and the rule, recorded for these arguments.
template <bool Forward, class F, class Rule, class... A>
class CustomScopes {
  public:
    static constexpr const char* name = Forward ? "custom_jvp" : "custom_vjp";
    using Arguments = StateLeaves<A...>;
    using R = std::remove_cvref_t<decltype(std::declval<const Arguments&>().call(std::declval<F&>()))>;
    using Results = typename SidesOf<R>::leaves;

    CustomScopes(location where, F& f, Rule& rule, const A&... a) : where_(where), control_(name, where) {
        (args_.template push<A>(a, name, where), ...);
        open_scope();
        results_.push_result(args_.parameters().call(f), name, where);
        close_scope(results_.leaf, results_.count);
        open_scope();
        if constexpr (Forward)
            forward(rule);
        else
            reverse(rule);
        end_custom(Forward ? CustomKind::jvp : CustomKind::vjp, args_.leaf, args_.count, results_.leaf);
    }

    auto arrays() const { return results_.arrays(); }

  private:
    static constexpr auto all = [](const auto&... a) { return std::tuple(a...); };
    /// The results in the form in which f returned them.
    static constexpr auto as_returned = [](const auto&... a) {
        if constexpr (sizeof...(a) == 1)
            return (a, ...);
        else
            return std::tuple(a...);
    };

    void forward(Rule& rule) {
        const auto primals = args_.parameters().call(all);
        const auto tangents = args_.parameters().call(all);
        constexpr bool fits = RuleFor<Rule, decltype(primals), decltype(tangents)>;
        static_assert(fits,
                      "custom_jvp(f, rule): the rule takes two std::tuples, the arguments of f and their tangents, and "
                      "returns the tangents of what f returns: write [](const auto& x, const auto& dx)");
        if constexpr (fits) {
            Results made;
            made.push_result(rule(primals, tangents), name, where_);
            close_scope(made.leaf, made.count);
        }
    }
    void reverse(Rule& rule) {
        const auto args = args_.parameters().call(all);
        const auto result = results_.parameters().call(as_returned);
        const auto cotangent = results_.parameters().call(as_returned);
        std::apply([&](const auto&... a) { record(rule, result, cotangent, a...); }, args);
    }
    template <class... T>
    void record(Rule& rule, const T&... a) {
        constexpr bool takes_them = RuleFor<Rule, T...>;
        static_assert(takes_them,
                      "custom_vjp(f, rule): the rule takes the result of f, the cotangent of that result and then the "
                      "arguments of f: write [](auto y, auto dy, auto x), or the types that f has");
        if constexpr (takes_them) {
            typename FloatingStates<std::tuple<>, A...>::leaves made;
            const auto adjoints = rule(a...);
            constexpr std::size_t count = FloatingStates<std::tuple<>, A...>::count;
            constexpr bool fits = returns_adjoints<std::remove_const_t<decltype(adjoints)>, count>();
            static_assert(fits,
                          "custom_vjp(f, rule): the rule returns one adjoint for each argument of f that has "
                          "floating-point elements, as a std::tuple if there are several");
            if constexpr (fits) {
                made.push_result(adjoints, name, where_);
                close_scope(made.leaf, made.count);
            }
        }
    }

    location where_;
    Arguments args_;
    Results results_;
    OpenControl control_;
};

template <class F, class... A>
auto checkpoint_call(location where, F& f, const A&... a) {
    if constexpr (ScalarArguments<A...>) require_program("checkpoint", where);
    StateLeaves<A...> args;
    (args.template push<A>(a, "checkpoint", where), ...);
    const OpenControl control("checkpoint", where);
    open_scope();
    using R = std::remove_cvref_t<decltype(args.parameters().call(f))>;
    typename SidesOf<R>::leaves results;
    results.push_result(args.parameters().call(f), "checkpoint", where);
    close_scope(results.leaf, results.count);
    end_custom(CustomKind::checkpoint, args.leaf, args.count, results.leaf);
    if constexpr (ScalarArguments<A...> && Expression<R>)
        return results.arrays()();
    else
        return results.arrays();
}

template <bool Forward, class F, class Rule, class... A>
auto custom_call(location where, F& f, Rule& rule, const A&... a) {
    if constexpr (ScalarArguments<A...>) require_program(Forward ? "custom_jvp" : "custom_vjp", where);
    const CustomScopes<Forward, F, Rule, A...> scopes(where, f, rule, a...);
    if constexpr (ScalarArguments<A...> && Expression<typename decltype(scopes)::R>)
        return scopes.arrays()();
    else
        return scopes.arrays();
}

/// A function with f's parameters. Where these have types, it has the same types.
template <bool Forward, class F, class Rule, class Parameters>
class CustomFunction;
template <bool Forward, class F, class Rule>
class CustomFunction<Forward, F, Rule, void> {
  public:
    CustomFunction(F f, Rule rule, location where) : f_(std::move(f)), rule_(std::move(rule)), where_(where) {}
    template <class... A>
    auto operator()(const A&... a) const {
        return custom_call<Forward>(where_, f_, rule_, a...);
    }

  private:
    F f_;
    Rule rule_;
    location where_;
};
template <bool Forward, class F, class Rule, class... P>
class CustomFunction<Forward, F, Rule, std::tuple<P...>> {
  public:
    CustomFunction(F f, Rule rule, location where) : f_(std::move(f)), rule_(std::move(rule)), where_(where) {}
    auto operator()(const P&... a) const { return custom_call<Forward>(where_, f_, rule_, a...); }

  private:
    F f_;
    Rule rule_;
    location where_;
};

template <class F, class Parameters>
class Checkpoint;
template <class F>
class Checkpoint<F, void> {
  public:
    Checkpoint(F f, location where) : f_(std::move(f)), where_(where) {}
    template <class... A>
    auto operator()(const A&... a) const {
        return checkpoint_call(where_, f_, a...);
    }

  private:
    F f_;
    location where_;
};
template <class F, class... P>
class Checkpoint<F, std::tuple<P...>> {
  public:
    Checkpoint(F f, location where) : f_(std::move(f)), where_(where) {}
    auto operator()(const P&... a) const { return checkpoint_call(where_, f_, a...); }

  private:
    F f_;
    location where_;
};

template <bool Forward, class F, class Rule>
auto make_custom(F&& f, Rule&& rule, location where) {
    using Function = std::decay_t<F>;
    return CustomFunction<Forward, Function, std::decay_t<Rule>, typename ParametersOf<Function>::type>(
        std::forward<F>(f), std::forward<Rule>(rule), where);
}

}  // namespace detail

/// f with a derivative other than that of its operations. rule(primals, tangents) takes two std::tuples with one value per
/// argument, and returns the tangents of what f returns. It is linear in the tangents: reverse mode takes its transpose.
template <class F, class Rule>
auto custom_jvp(F&& f, Rule&& rule, location where = location::current()) {
    return detail::make_custom<true>(std::forward<F>(f), std::forward<Rule>(rule), where);
}

/// The same with a rule for reverse mode: rule(result, cotangent, x, y) returns the adjoints of those of f's arguments x and
/// y that have floating-point elements, as a std::tuple if there are several. result and cotangent have the type that f
/// returns. Forward mode takes its transpose, if it is linear in the cotangent.
/// UsageError where a derivative is taken by an array that f or the rule uses from outside; ShapeError if the shape of an
/// adjoint is not that of its argument.
template <class F, class Rule>
auto custom_vjp(F&& f, Rule&& rule, location where = location::current()) {
    return detail::make_custom<false>(std::forward<F>(f), std::forward<Rule>(rule), where);
}

/// f, for which a reverse sweep keeps nothing but the arguments: the sweep computes f again when it gets there. This saves
/// memory and costs one more execution of f.
template <class F>
auto checkpoint(F&& f, location where = location::current()) {
    using Function = std::decay_t<F>;
    return detail::Checkpoint<Function, typename detail::ParametersOf<Function>::type>(std::forward<F>(f), where);
}
template <class F, detail::StateLike... A>
    requires(sizeof...(A) > 0)
auto checkpoint(const F&, const A&... a) {
    return detail::derivative_of_arguments<F>(a...);
}

}  // namespace sinter
