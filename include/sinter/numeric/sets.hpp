// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of rank 1 as sets, and where their distinct elements stand.
#pragma once

#include <sinter/combinators/concat.hpp>
#include <sinter/numeric/search.hpp>
#include <sinter/numeric/spread.hpp>

namespace sinter {

/// Whether each element of a is equal to one of b, by binary search in the sorted b. A NaN is equal to none.
template <ArrayLike A, ArrayLike B>
auto isin(const A& a, const B& b, location where = location::current()) {
    using T = element_t<A>;
    static_assert(rank_v<B> == 1 && std::is_same_v<T, element_t<B>> && detail::is_scalar<T>,
                  "isin: an array of numbers, and one of rank 1 of the same type");
    const Delayed<T> members = force(sort(b, where), where);
    auto member = [&](Exp<T> x) {
        const Exp<std::int64_t> at = detail::insertion_point(members, x, Side::left);
        return cond(at < extent(members, 0), [&] { return members(at) == x; }, [] { return Exp<bool>(false); });
    };
    return map(member, detail::Operand<A>(a, where));
}

/// What is in one of the two arrays at least, in both, only in the first, and in exactly one: distinct elements, ascending.
template <ArrayLike A, ArrayLike B>
auto union1d(const A& a, const B& b, location where = location::current()) {
    return unique(concat(detail::Operand<A>(a, where), b), where);
}
template <ArrayLike A, ArrayLike B>
auto intersect1d(const A& a, const B& b, location where = location::current()) {
    const auto distinct = force(unique(a, where), where);
    return compact(isin(distinct, b, where), distinct);
}
template <ArrayLike A, ArrayLike B>
auto setdiff1d(const A& a, const B& b, location where = location::current()) {
    const auto distinct = force(unique(a, where), where);
    return compact(!isin(distinct, b, where), distinct);
}
template <ArrayLike A, ArrayLike B>
auto setxor1d(const A& a, const B& b, location where = location::current()) {
    return sort(concat(setdiff1d(a, b, where), setdiff1d(b, a, where)), where);
}

/// std::tuple(values, indices, inverse, counts): the distinct elements of an array of rank 1 as unique gives them, where
/// each occurs first, which of them each element is, and how often each occurs. What is not used is not computed.
template <ArrayLike A>
auto unique_all(const A& a, location where = location::current()) {
    using T = element_t<A>;
    using Index = Exp<std::int64_t>;
    static_assert(rank_v<A> == 1, "unique_all is for arrays of rank 1: flatten it first");
    const Delayed<T> source(a);
    const Delayed<std::int64_t> order = force(argsort(source, where), where);
    const Delayed<T> sorted = force(gather(order, source), where);
    auto is_first = [&](Index i, Exp<T> x) { return i == 0 || detail::sorts_apart(sorted(max(i - 1, 0)), x); };
    const Delayed<bool> first = map_indexed(is_first, sorted);
    const auto position = [](Index i, Exp<bool>) { return i; };
    const Delayed<std::int64_t> starts = force(compact(first, map_indexed(position, first)), where);
    auto length = [&](Index k, Index start) {
        const Index groups = extent(starts, 0);
        return select(k + 1 < groups, starts(min(k + 1, groups - 1)), extent(sorted, 0)) - start;
    };
    const auto group = map([](Index n) { return n - 1; }, cumsum(first, {{-1}}, where));
    return std::tuple(gather(starts, sorted), gather(starts, order), scatter(order, order, group),
                      map_indexed(length, starts));
}
/// std::tuple(values, inverse): gather(inverse, values) is a.
template <ArrayLike A>
auto unique_inverse(const A& a, location where = location::current()) {
    auto [values, indices, inverse, counts] = unique_all(a, where);
    return std::tuple(values, inverse);
}
/// std::tuple(values, counts).
template <ArrayLike A>
auto unique_counts(const A& a, location where = location::current()) {
    auto [values, indices, inverse, counts] = unique_all(a, where);
    return std::tuple(values, counts);
}

}  // namespace sinter
