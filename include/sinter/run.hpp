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

template <class V>
inline constexpr bool is_array_tuple = false;
template <ArrayLike... A>
inline constexpr bool is_array_tuple<std::tuple<A...>> = sizeof...(A) > 0;
template <ArrayLike A, ArrayLike B>
inline constexpr bool is_array_tuple<std::pair<A, B>> = true;

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

/// Making a std::tuple from its elements, and std::apply, take the compiler a time that is quadratic in their number.
template <class Arrays, class... A, std::size_t... K>
void run_each(const Options& options, location where, const Arrays& arrays, std::tuple<A...>& results,
              std::index_sequence<K...>) {
    constexpr std::size_t total = (leaf_count<element_t<A>> + ...);
    LeafRef leaves[total], out[total];
    LeafRef *end = leaves, *next = out;
    (add_leaves(std::get<K>(arrays), end), ...);
    run(leaves, total, options, where, out);
    (take(std::get<K>(results), next), ...);
}

template <class>
struct Results;
template <class... A>
struct Results<std::tuple<A...>> {
    using type = std::tuple<Array<element_t<std::remove_cvref_t<A>>, rank_v<std::remove_cvref_t<A>>>...>;
};
template <class A, class B>
struct Results<std::pair<A, B>> : Results<std::tuple<A, B>> {};

template <class Arrays>
auto run_together(const Options& options, location where, const Arrays& arrays) {
    forbid_tracing("run", where);
    typename Results<Arrays>::type results;
    run_each(options, where, arrays, results, std::make_index_sequence<std::tuple_size_v<Arrays>>());
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

/// Several arrays in a std::tuple, computed together: shared work is done once.
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
