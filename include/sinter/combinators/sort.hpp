// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stable sorting of the lines along the innermost axis, or along axis(k) before `descending`. Products are compared
/// lexicographically, component by component. Numbers ascend, and false comes before true; with `descending` the greatest
/// comes first. -0 equals 0, and NaNs are last in either direction. Results have the shape of the argument.
#pragma once

#include <sinter/combinators/scatter.hpp>
#include <sinter/detail/lines.hpp>

namespace sinter {

struct Descending {};
inline constexpr Descending descending{};

namespace detail {

template <class A>
auto sorted(const char* what, const A& a, bool descending, location where) {
    static_assert(rank_v<A> > 0, "sort needs an array of rank 1 at least");
    constexpr std::size_t count = leaf_count<element_t<A>>;
    Leaves<element_t<A>> out;
    sort(what, a.leaves().leaf, count, count, descending, out.leaf, where);
    return Delayed<element_t<A>, rank_v<A>>(std::move(out));
}

template <class K, class V>
auto sorted_by_key(const char* what, const K& keys, const V& values, bool descending, location where) {
    static_assert(rank_v<K> > 0 && rank_v<K> == rank_v<V>,
                  "sort_by_key: keys and values have one shape, of rank 1 at least");
    require_same_shape(what, where, keys, values);
    constexpr std::size_t key_leaves = leaf_count<element_t<K>>;
    auto args = list_leaves(keys, values);
    decltype(args) out;
    sort(what, args.leaf, args.count, key_leaves, descending, out.leaf, where);
    return std::tuple(listed_array<element_t<K>, rank_v<K>>(out, 0), listed_array<element_t<V>, rank_v<V>>(out, key_leaves));
}

template <class A>
auto sorted_positions(const A& a, bool descending, location where) {
    auto last = [](const auto&... index) {
        Exp<std::int64_t> all[] = {index...};
        return all[sizeof...(index) - 1];
    };
    auto positions = generate_like(std::make_index_sequence<rank_v<A>>{}, "argsort", where, a.leaves().leaf[0], last);
    return std::get<1>(sorted_by_key("argsort", a, positions, descending, where));
}

template <class A>
auto sorted_along(const A& a, Axes<1> axis, bool descending, location where) {
    return moved_back("sort", sorted("sort", innermost("sort", a, axis, where), descending, where), axis, where);
}

template <class K, class V>
auto sorted_by_key_along(const K& keys, const V& values, Axes<1> axis, bool descending, location where) {
    const char* what = "sort_by_key";
    const auto [k, v] =
        sorted_by_key(what, innermost(what, keys, axis, where), innermost(what, values, axis, where), descending, where);
    return std::tuple(moved_back(what, k, axis, where), moved_back(what, v, axis, where));
}

template <class A>
auto sorted_positions_along(const A& a, Axes<1> axis, bool descending, location where) {
    return moved_back("argsort", sorted_positions(innermost("argsort", a, axis, where), descending, where), axis, where);
}

}  // namespace detail

/// The elements of each line in order. Lines go along the innermost axis, or along axis(k).
template <ArrayLike A>
auto sort(const A& a, location where = location::current()) {
    return detail::sorted("sort", a, false, where);
}
template <ArrayLike A>
auto sort(const A& a, Descending, location where = location::current()) {
    return detail::sorted("sort", a, true, where);
}
template <ArrayLike A>
auto sort(const A& a, Axes<1> axis, location where = location::current()) {
    return detail::sorted_along(a, axis, false, where);
}
template <ArrayLike A>
auto sort(const A& a, Axes<1> axis, Descending, location where = location::current()) {
    return detail::sorted_along(a, axis, true, where);
}

/// std::tuple(keys, values), both rearranged such that the keys of each line, along the innermost axis
/// or along axis(k), are in order. ShapeError if the shapes differ.
template <ArrayLike K, ArrayLike V>
auto sort_by_key(const K& keys, const V& values, location where = location::current()) {
    return detail::sorted_by_key("sort_by_key", keys, values, false, where);
}
template <ArrayLike K, ArrayLike V>
auto sort_by_key(const K& keys, const V& values, Descending, location where = location::current()) {
    return detail::sorted_by_key("sort_by_key", keys, values, true, where);
}
template <ArrayLike K, ArrayLike V>
auto sort_by_key(const K& keys, const V& values, Axes<1> axis, location where = location::current()) {
    return detail::sorted_by_key_along(keys, values, axis, false, where);
}
template <ArrayLike K, ArrayLike V>
auto sort_by_key(const K& keys, const V& values, Axes<1> axis, Descending, location where = location::current()) {
    return detail::sorted_by_key_along(keys, values, axis, true, where);
}

/// The positions in a of the elements of the sorted lines, as int64: gather(argsort(a), a) is sort(a), for rank 1.
template <ArrayLike A>
auto argsort(const A& a, location where = location::current()) {
    return detail::sorted_positions(a, false, where);
}
template <ArrayLike A>
auto argsort(const A& a, Descending, location where = location::current()) {
    return detail::sorted_positions(a, true, where);
}
template <ArrayLike A>
auto argsort(const A& a, Axes<1> axis, location where = location::current()) {
    return detail::sorted_positions_along(a, axis, false, where);
}
template <ArrayLike A>
auto argsort(const A& a, Axes<1> axis, Descending, location where = location::current()) {
    return detail::sorted_positions_along(a, axis, true, where);
}

}  // namespace sinter
