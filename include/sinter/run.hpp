// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// run: turns delayed arrays into manifest ones. Everything in an expression is fused, compiled on first use and executed.
#pragma once

#include <sinter/array.hpp>
#include <sinter/detail/run.hpp>
#include <sinter/options.hpp>

#include <tuple>
#include <utility>
#include <vector>

namespace sinter {

namespace detail {

/// A std::tuple or std::pair of arrays, or of such tuples and arrays.
template <class V>
inline constexpr bool is_array_tuple = false;
template <class V>
concept ArrayOrTuple = ArrayLike<V> || is_array_tuple<V>;
template <ArrayOrTuple... V>
inline constexpr bool is_array_tuple<std::tuple<V...>> = sizeof...(V) > 0;
template <ArrayOrTuple V, ArrayOrTuple W>
inline constexpr bool is_array_tuple<std::pair<V, W>> = true;

/// A result put together from manifest leaves.
template <class A>
auto manifest(LeafRef*& next) {
    Leaves<element_t<A>> leaves;
    for (auto& leaf : leaves.leaf) leaf = std::move(*next++);
    return Array<element_t<A>, rank_v<A>>(std::move(leaves));
}

template <class A>
void take(A& result, LeafRef*& next) {
    result = manifest<A>(next);
}

template <class A>
void add_leaves(const A& array, LeafRef*& end) {
    for (const LeafRef& leaf : array.leaves().leaf) *end++ = leaf;
}

/// What run makes of an array, or of a tuple.
template <class V>
struct Results {
    using type = Array<element_t<V>, rank_v<V>>;
    static constexpr std::size_t leaves = leaf_count<element_t<V>>;
    static void add(const V& array, LeafRef*& end) { add_leaves(array, end); }
    static void take(type& result, LeafRef*& next) { detail::take(result, next); }
};
/// Making a std::tuple from its elements, and std::apply, take the compiler a time that is quadratic in their number.
template <class... V>
struct Results<std::tuple<V...>> {
    using type = std::tuple<typename Results<std::remove_cvref_t<V>>::type...>;
    static constexpr std::size_t leaves = (Results<std::remove_cvref_t<V>>::leaves + ...);
    template <class Tuple>
    static void add(const Tuple& all, LeafRef*& end) {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (Results<std::remove_cvref_t<V>>::add(std::get<K>(all), end), ...);
        }(std::index_sequence_for<V...>());
    }
    static void take(type& results, LeafRef*& next) {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (Results<std::remove_cvref_t<V>>::take(std::get<K>(results), next), ...);
        }(std::index_sequence_for<V...>());
    }
};
template <class V, class W>
struct Results<std::pair<V, W>> : Results<std::tuple<V, W>> {};

template <class Arrays>
auto run_together(const Options& options, location where, const Arrays& arrays) {
    forbid_tracing("run", where);
    using All = Results<Arrays>;
    LeafRef leaves[All::leaves], out[All::leaves];
    LeafRef *end = leaves, *next = out;
    All::add(arrays, end);
    run(leaves, All::leaves, options, where, out);
    typename All::type results;
    All::take(results, next);
    return results;
}

}  // namespace detail

/// The array with its elements computed.
template <ArrayLike A>
auto run(const A& a, const Options& options = {}, location where = location::current()) {
    detail::forbid_tracing("run", where);
    detail::Leaves<element_t<A>> out;
    detail::run(a.leaves().leaf, detail::leaf_count<element_t<A>>, options, where, out.leaf);
    return Array<element_t<A>, rank_v<A>>(std::move(out));
}

/// The same for a temporary: an array that was moved into it (update(std::move(a), ..)) is updated in place.
template <ArrayLike A>
    requires(!std::is_lvalue_reference_v<A> && !std::is_const_v<A>)
auto run(A&& a, const Options& options = {}, location where = location::current()) {
    detail::forbid_tracing("run", where);
    detail::Leaves<element_t<A>> leaves = a.leaves(), out;
    a = A();
    detail::run_given(leaves.leaf, detail::leaf_count<element_t<A>>, options, where, out.leaf);
    return Array<element_t<A>, rank_v<A>>(std::move(out));
}

/// Several arrays in a std::tuple, computed together: shared work is done once. The tuple may have tuples in it, as that of
/// value_and_grad<0, 1> has; the results are in a std::tuple of the same structure.
template <class T>
    requires detail::is_array_tuple<T>
auto run(const T& arrays, const Options& options = {}, location where = location::current()) {
    return detail::run_together(options, where, arrays);
}
/// Any number of arrays of one type, computed together.
template <ArrayLike A>
auto run(const std::vector<A>& arrays, const Options& options = {}, location where = location::current()) {
    detail::forbid_tracing("run", where);
    constexpr std::size_t each = detail::leaf_count<element_t<A>>;
    std::vector<detail::LeafRef> leaves(arrays.size() * each), out(leaves.size());
    detail::LeafRef *end = leaves.data(), *next = out.data();
    for (const A& array : arrays) detail::add_leaves(array, end);
    if (!arrays.empty()) detail::run(leaves.data(), leaves.size(), options, where, out.data());
    std::vector<Array<element_t<A>, rank_v<A>>> results(arrays.size());
    for (auto& result : results) detail::take(result, next);
    return results;
}
template <ArrayLike A, ArrayLike B>
auto run(const A& a, const B& b, const Options& options = {}, location where = location::current()) {
    return detail::run_together(options, where, std::tie(a, b));
}
template <ArrayLike A, ArrayLike B, ArrayLike C>
auto run(const A& a, const B& b, const C& c, const Options& options = {}, location where = location::current()) {
    return detail::run_together(options, where, std::tie(a, b, c));
}
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D, ArrayLike... E>
auto run(detail::Operand<A> a, const B& b, const C& c, const D& d, const E&... e) {
    return detail::run_together({}, a.where, std::tie(*a.array, b, c, d, e...));
}
/// Any number of arrays, then Options. If the options are written in braces, there may be at most eight arrays.
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D>
auto run(const A& a, const B& b, const C& c, const D& d, const Options& options, location where = location::current()) {
    return detail::run_together(options, where, std::tie(a, b, c, d));
}
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D, ArrayLike E>
auto run(const A& a, const B& b, const C& c, const D& d, const E& e, const Options& options,
         location where = location::current()) {
    return detail::run_together(options, where, std::tie(a, b, c, d, e));
}
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D, ArrayLike E, ArrayLike F>
auto run(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const Options& options,
         location where = location::current()) {
    return detail::run_together(options, where, std::tie(a, b, c, d, e, f));
}
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D, ArrayLike E, ArrayLike F, ArrayLike G>
auto run(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g, const Options& options,
         location where = location::current()) {
    return detail::run_together(options, where, std::tie(a, b, c, d, e, f, g));
}
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D, ArrayLike E, ArrayLike F, ArrayLike G, ArrayLike H>
auto run(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g, const H& h,
         const Options& options, location where = location::current()) {
    return detail::run_together(options, where, std::tie(a, b, c, d, e, f, g, h));
}
template <ArrayLike A, class... Rest>
    requires(sizeof...(Rest) > 8 && std::is_same_v<std::tuple_element_t<sizeof...(Rest) - 1, std::tuple<Rest...>>, Options>)
auto run(detail::Operand<A> a, const Rest&... rest) {
    auto operands = std::tie(*a.array, rest...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return detail::run_together(std::get<sizeof...(Rest)>(operands), a.where, std::tie(std::get<I>(operands)...));
    }(std::make_index_sequence<sizeof...(Rest)>{});
}

}  // namespace sinter
