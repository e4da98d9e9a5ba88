// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rearrangements, which are index functions: none of them computes or copies anything by itself.
#pragma once

#include <sinter/array.hpp>

namespace sinter {

namespace detail {

/// The array whose leaves are view(leaf) for each leaf of a.
template <int Rank, class A, class F>
auto view_leaves(const A& a, F view) {
    Leaves<element_t<A>> leaves;
    for (std::size_t i = 0; i < leaf_count<element_t<A>>; ++i) leaves.leaf[i] = view(a.leaves().leaf[i]);
    return Delayed<element_t<A>, Rank>(std::move(leaves));
}

}  // namespace detail

/// Axes in reverse order.
template <ArrayLike A>
auto transpose(const A& a, location where = location::current()) {
    std::int64_t axes[rank_v<A> + 1];
    for (int k = 0; k < rank_v<A>; ++k) axes[k] = rank_v<A> - 1 - k;
    return detail::view_leaves<rank_v<A>>(a, [&](auto& leaf) { return detail::transpose(leaf, axes, rank_v<A>, where); });
}

/// Axis k of the result is axis permutation[k] of a, as in NumPy: transpose(a, {2, 0, 1}).
template <ArrayLike A, std::size_t N>
auto transpose(const A& a, const int (&permutation)[N], location where = location::current()) {
    static_assert(N == rank_v<A>, "transpose: the permutation names each axis once");
    std::int64_t axes[N];
    for (std::size_t k = 0; k < N; ++k) axes[k] = permutation[k];
    return detail::view_leaves<rank_v<A>>(a, [&](auto& leaf) { return detail::transpose(leaf, axes, N, where); });
}

/// The same elements in row-major order. ShapeError unless the number of elements is the same.
template <ArrayLike A, int Rank>
auto reshape(const A& a, const Shape<Rank>& shape, location where = location::current()) {
    return detail::view_leaves<Rank>(a, [&](auto& leaf) { return detail::reshape(leaf, shape.sizes, Rank, where); });
}

/// All elements in row-major order as an array of rank 1.
template <ArrayLike A>
auto flatten(const A& a, location where = location::current()) {
    return detail::view_leaves<1>(a, [&](auto& leaf) { return detail::flatten(leaf, where); });
}

/// Elements in opposite order along an axis (default: the innermost).
template <ArrayLike A>
auto reverse(const A& a, Axes<1> axis, location where = location::current()) {
    return detail::view_leaves<rank_v<A>>(a, [&](auto& leaf) { return detail::reverse(leaf, axis.axes[0], where); });
}
template <ArrayLike A>
auto reverse(const A& a, std::int64_t axis = -1, location where = location::current()) {
    return reverse(a, Axes<1>{{axis}}, where);
}

/// The first n elements along an axis (default: the outermost).
template <ArrayLike A, detail::SizeLike N>
auto take(const A& a, const N& n, Axes<1> axis = {{0}}, location where = location::current()) {
    auto count = detail::size_argument(n);
    return detail::view_leaves<rank_v<A>>(a, [&](auto& leaf) { return detail::take(leaf, count, axis.axes[0], where); });
}

/// All but the first n elements along an axis (default: the outermost).
template <ArrayLike A, detail::SizeLike N>
auto drop(const A& a, const N& n, Axes<1> axis = {{0}}, location where = location::current()) {
    auto count = detail::size_argument(n);
    return detail::view_leaves<rank_v<A>>(a, [&](auto& leaf) { return detail::drop(leaf, count, axis.axes[0], where); });
}

/// n copies of a along a new outermost axis.
template <detail::SizeLike N, ArrayLike A>
auto replicate(const N& n, const A& a, location where = location::current()) {
    auto count = detail::size_argument(n);
    return detail::view_leaves<rank_v<A> + 1>(a, [&](auto& leaf) { return detail::replicate(count, leaf, where); });
}

/// a repeated to a larger shape: axis k of a is axis axes[k] of the result. The axes are increasing, and have the extents of
/// a's.
template <ArrayLike A, int Rank, int Count>
auto broadcast(const A& a, const Shape<Rank>& shape, const Axes<Count>& axes, location where = location::current()) {
    static_assert(Count == rank_v<A> && Count <= Rank, "broadcast: name the result's axis for each axis of the array");
    return detail::view_leaves<Rank>(
        a, [&](auto& leaf) { return detail::broadcast(leaf, shape.sizes, Rank, axes.axes, Count, where); });
}

}  // namespace sinter
