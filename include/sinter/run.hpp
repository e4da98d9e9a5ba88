// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// run: delayed arrays to manifest ones. Whatever is in an expression is fused, compiled on first use and executed.
#pragma once

#include <sinter/array.hpp>
#include <sinter/detail/run.hpp>
#include <sinter/options.hpp>

namespace sinter {

namespace detail {

template <class V>
inline constexpr bool is_array_tuple = false;
template <ArrayLike... A>
inline constexpr bool is_array_tuple<std::tuple<A...>> = sizeof...(A) > 0;
template <ArrayLike A, ArrayLike B>
inline constexpr bool is_array_tuple<std::pair<A, B>> = true;

/// Results put together from manifest leaves.
template <class A>
auto manifest(LeafRef*& next) {
    Leaves<element_t<A>> leaves;
    for (auto& leaf : leaves.leaf) leaf = std::move(*next++);
    return Array<element_t<A>, rank_v<A>>(std::move(leaves));
}

template <class... A>
auto run_together(const Options& options, location where, const A&... a) {
    forbid_tracing("run", where);
    constexpr std::size_t total = (leaf_count<element_t<A>> + ...);
    LeafRef leaves[total], out[total];
    LeafRef* end = leaves;
    auto push = [&](const auto& one) {
        for (const LeafRef& leaf : one.leaves().leaf) *end++ = leaf;
    };
    (push(a), ...);
    run(leaves, total, options, where, out);
    LeafRef* next = out;
    return std::tuple<Array<element_t<A>, rank_v<A>>...>{manifest<A>(next)...};
}

}  // namespace detail

/// The array's elements, computed.
template <ArrayLike A>
auto run(const A& a, const Options& options = {}, location where = location::current()) {
    detail::forbid_tracing("run", where);
    detail::Leaves<element_t<A>> out;
    detail::run(a.leaves().leaf, detail::leaf_count<element_t<A>>, options, where, out.leaf);
    return Array<element_t<A>, rank_v<A>>(std::move(out));
}

/// The same of a temporary: an array that was moved into it (update(std::move(a), ..)) is updated in place.
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
    return std::apply([&](const auto&... a) { return detail::run_together(options, where, a...); }, arrays);
}
template <ArrayLike A, ArrayLike B>
auto run(const A& a, const B& b, const Options& options = {}, location where = location::current()) {
    return detail::run_together(options, where, a, b);
}
template <ArrayLike A, ArrayLike B, ArrayLike C>
auto run(const A& a, const B& b, const C& c, const Options& options = {}, location where = location::current()) {
    return detail::run_together(options, where, a, b, c);
}
template <ArrayLike A, ArrayLike B, ArrayLike C, ArrayLike D, ArrayLike... E>
auto run(detail::Operand<A> a, const B& b, const C& c, const D& d, const E&... e) {
    return detail::run_together({}, a.where, *a.array, b, c, d, e...);
}

}  // namespace sinter
