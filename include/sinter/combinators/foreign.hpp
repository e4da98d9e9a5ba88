// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The user's C++ functions as operations of the graph.
#pragma once

#include <sinter/array.hpp>
#include <sinter/detail/function.hpp>

#include <array>
#include <cstddef>
#include <new>

namespace sinter {

namespace detail {

/// An array of the function's parameters from the leaves that are passed.
template <class A>
auto passed_array(const LeafRef*& next) {
    Leaves<element_t<A>> leaves;
    for (auto& leaf : leaves.leaf) leaf = *next++;
    return Array<element_t<A>, rank_v<A>>(std::move(leaves));
}

/// What a foreign function returns: an Array, or a std::tuple of several.
template <class R>
struct ForeignReturn;
template <class... T, int... Rank>
struct ForeignReturn<std::tuple<Array<T, Rank>...>> {
    static constexpr std::size_t count = (leaf_count<T> + ...);
    static constexpr auto& scalars = scalars_of<T...>;
    static constexpr auto ranks = [] {
        std::array<std::size_t, count> all{};
        std::size_t next = 0;
        (([&] {
             for (std::size_t i = 0; i < leaf_count<T>; ++i) all[next++] = Rank;
         }()),
         ...);
        return all;
    }();

    static void put(const std::tuple<Array<T, Rank>...>& arrays, LeafRef* next) {
        auto one = [&](const auto& array) {
            for (const LeafRef& leaf : array.leaves().leaf) *next++ = leaf;
        };
        std::apply([&](const auto&... array) { (one(array), ...); }, arrays);
    }
    static auto delayed(const LeafRef* next) {
        return std::tuple<Delayed<T, Rank>...>{Delayed<T, Rank>(passed_array<Array<T, Rank>>(next))...};
    }
};
template <class T, int Rank>
struct ForeignReturn<Array<T, Rank>> : ForeignReturn<std::tuple<Array<T, Rank>>> {
    static void put(const Array<T, Rank>& array, LeafRef* next) {
        for (const LeafRef& leaf : array.leaves().leaf) *next++ = leaf;
    }
    static auto delayed(const LeafRef* next) { return Delayed<T, Rank>(passed_array<Array<T, Rank>>(next)); }
};

template <class F>
decltype(auto) foreign_function(void* context) {
    if constexpr (std::is_pointer_v<F>)
        return reinterpret_cast<F>(context);
    else
        return (*static_cast<F*>(context));
}

template <class F, class R, class... A>
void call_foreign(void* context, const LeafRef* args, LeafRef* results) {
    const std::tuple<Array<element_t<A>, rank_v<A>>...> arrays{passed_array<A>(args)...};
    ForeignReturn<R>::put(std::apply(foreign_function<F>(context), arrays), results);
}

/// A rule takes the `count` arguments of its function last; they are the first of A here.
template <class F, std::size_t count, class R, class... A>
void call_foreign_rule(void* context, const LeafRef* args, LeafRef* results) {
    const std::tuple<Array<element_t<A>, rank_v<A>>...> arrays{passed_array<A>(args)...};
    [&]<std::size_t... K, std::size_t... L>(std::index_sequence<K...>, std::index_sequence<L...>) {
        ForeignReturn<R>::put(foreign_function<F>(context)(std::get<count + K>(arrays)..., std::get<L>(arrays)...), results);
    }(std::make_index_sequence<sizeof...(A) - count>{}, std::make_index_sequence<count>{});
}

/// The identity of a function: a pointer is its own; an object without state is identified by its type, any other object by
/// its own copy.
template <class F>
ForeignCallee foreign_callee(decltype(ForeignCallee::call) call, const F& f) {
    if constexpr (std::is_pointer_v<F>) {
        return {call, reinterpret_cast<void*>(f), nullptr};
    } else if constexpr (std::is_empty_v<F>) {
        alignas(F) static std::byte memory[sizeof(F)];  // a plug-in's is gone with it
        static F& function = *new (memory) F(f);        // never destroyed: programs may run to the very end
        return {call, &function, nullptr};
    } else {
        return {call, new F(f), [](void* context) { delete static_cast<F*>(context); }};
    }
}

/// The function that derivative() takes, the last argument of foreign.
template <class Rule>
struct ForeignRule {
    Rule rule;
};
template <class V>
inline constexpr bool is_foreign_rule = false;
template <class Rule>
inline constexpr bool is_foreign_rule<ForeignRule<Rule>> = true;

/// The types of results as a std::tuple.
template <class R>
struct ForeignTypes {
    using type = std::tuple<R>;
};
template <class... R>
struct ForeignTypes<std::tuple<R...>> {
    using type = std::tuple<R...>;
};

/// The types of the arguments that have floating-point elements.
template <class... A>
using ForeignAdjoints = decltype(std::tuple_cat(
    std::declval<
        std::conditional_t<has_float<element_t<A>>, std::tuple<Array<element_t<A>, rank_v<A>>>, std::tuple<>>>()...));

/// Calls the rule with arguments, results and cotangents.
template <class Rule, class Adjoints, class... A, class... R>
ForeignCallee foreign_rule_callee(const Rule& rule, const std::tuple<R...>*) {
    using Made =
        std::remove_cvref_t<std::invoke_result_t<Rule&, const R&..., const R&..., const Array<element_t<A>, rank_v<A>>&...>>;
    static_assert(
        std::is_same_v<typename ForeignTypes<Made>::type, Adjoints>,
        "foreign: the derivative returns an Array for each argument with floating-point elements, of its type: one, "
        "or a std::tuple");
    return foreign_callee(call_foreign_rule<Rule, sizeof...(A), Made, A..., R..., R...>, rule);
}

}  // namespace detail

/// The last argument of foreign. rule(results..., cotangents of the results..., arguments...) is another C++ function of
/// Arrays; it returns the adjoints of the arguments that have floating-point elements: an Array, or a std::tuple of several.
template <class Rule>
auto derivative(Rule&& rule) {
    return detail::ForeignRule<std::decay_t<Rule>>{std::forward<Rule>(rule)};
}

/// f, a C++ function from `const Array&`s to an Array or a std::tuple of Arrays, as an operation of the graph. It is called
/// with the values of the arrays when the result is computed, on any thread, as often as the program needs it. `name` names
/// it in messages and explanations. The shapes of the results are not known before f has run. What f throws is thrown by
/// run. A function object with captures is copied; the copy lives as long as a result, a delayed array or a compiled
/// function that may call it.
template <class F, class A, class... As>
auto foreign(const char* name, F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    using Function = std::decay_t<F>;
    using R = std::remove_cvref_t<
        std::invoke_result_t<Function&, const Array<element_t<A>, rank_v<A>>&, const Array<element_t<As>, rank_v<As>>&...>>;
    using Return = detail::ForeignReturn<R>;
    auto args = detail::list_leaves(*a.array, *as.array...);
    detail::LeafRef out[Return::count];
    detail::foreign(name, detail::foreign_callee<Function>(detail::call_foreign<Function, R, A, As...>, f), args.leaf,
                    args.count, {Return::scalars.scalars, Return::ranks.data(), Return::count}, out, a.where);
    return Return::delayed(out);
}

namespace detail {

template <class F, class Rule, class... A>
auto foreign_with_rule_of(const char* name, location where, const F& f, const Rule& rule, const A&... a) {
    using R = std::remove_cvref_t<std::invoke_result_t<F&, const Array<element_t<A>, rank_v<A>>&...>>;
    using Return = ForeignReturn<R>;
    using Adjoints = ForeignAdjoints<A...>;
    static_assert(std::tuple_size_v<Adjoints> > 0, "foreign: a derivative by arguments without floating-point elements");
    static constexpr auto by = [] {
        std::array<bool, (leaf_count<element_t<A>> + ...)> flags{};
        std::size_t next = 0;
        (([&] {
             for (std::size_t k = 0; k < leaf_count<element_t<A>>; ++k) flags[next++] = has_float<element_t<A>>;
         }()),
         ...);
        return flags;
    }();
    auto args = list_leaves(a...);
    LeafRef out[Return::count];
    const ForeignCallee back =
        foreign_rule_callee<Rule, Adjoints, A...>(rule, static_cast<const typename ForeignTypes<R>::type*>(nullptr));
    foreign_with_rule(name, foreign_callee(call_foreign<F, R, A...>, f), back, by.data(), args.leaf, args.count,
                      {Return::scalars.scalars, Return::ranks.data(), Return::count}, out, where);
    return Return::delayed(out);
}

}  // namespace detail

/// The same with a derivative, for reverse mode: foreign("fft", fft, a, derivative(fft_vjp)).
template <class F, class A, class... As>
    requires(detail::is_foreign_rule<std::tuple_element_t<sizeof...(As), std::tuple<A, As...>>>)
auto foreign(const char* name, F&& f, detail::Operand<A> first, const As&... rest) {
    const std::tuple<const A&, const As&...> arguments(*first.array, rest...);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return detail::foreign_with_rule_of(name, first.where, std::decay_t<F>(f), std::get<sizeof...(As)>(arguments).rule,
                                            std::get<K>(arguments)...);
    }(std::make_index_sequence<sizeof...(As)>());
}

}  // namespace sinter
