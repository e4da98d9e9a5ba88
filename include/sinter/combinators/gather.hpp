// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reading at computed positions.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/combinators/make.hpp>

namespace sinter {

namespace detail {

/// An integer, or a tuple of integers, one per axis.
template <class Index, int Rank>
constexpr bool is_index() {
    for (Scalar s : scalars_of<Index>.scalars)
        if (!is_integer(s)) return false;
    if constexpr (is_scalar<Index>)
        return Rank == 1;
    else
        return component_count<Index> == Rank && leaf_count<Index> == Rank;
}

/// An index of any integer types as a tuple of int64. A value of 2^63 or more stays outside every array.
template <class Index>
auto wide_index(Exp<Index> index) {
    if constexpr (!is_scalar<Index>) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::tuple(wide_index(index.template get<I>())...);
        }(component_indices<Index>{});
    } else if constexpr (scalar_v<Index> == Scalar::u64) {
        return cast<std::int64_t>(min(index, static_cast<Index>(INT64_MAX)));
    } else {
        return cast<std::int64_t>(index);
    }
}

template <class Index>
constexpr bool is_wide_index() {
    for (Scalar s : scalars_of<Index>.scalars)
        if (s != Scalar::i64) return false;
    return true;
}

}  // namespace detail

namespace detail {

template <class I, class A>
auto gather_arrays(const char* what, location where, const I& indices, const A& a) {
    using Index = element_t<I>;
    using T = element_t<A>;
    static_assert(
        is_index<Index, rank_v<A>>(),
        "gather: an index is an integer for a source of rank 1, else a tuple of one integer per axis of the source");
    if constexpr (is_wide_index<Index>()) {
        Leaves<T> out;
        gather(what, indices.leaves().leaf, rank_v<A>, a.leaves().leaf, leaf_count<T>, out.leaf, where);
        return Delayed<T, rank_v<I>>(std::move(out));
    } else {
        auto wide = [](Exp<Index> index) { return wide_index(index); };
        return gather_arrays(what, where, map_arrays(what, where, wide, indices), a);
    }
}

}  // namespace detail

/// result[i] = a[indices[i]]: indices are integers, or tuples of one integer per axis of a. An index outside a is an
/// IndexError.
template <ArrayLike I, ArrayLike A>
auto gather(const I& indices, const A& a, location where = location::current()) {
    return detail::gather_arrays("gather", where, indices, a);
}

/// result[i, ...] = a[f(i, ...)]: f maps an index of the result to one of a (an integer, or a tuple of one per axis).
template <int Rank, class F, ArrayLike A>
auto backpermute(const Shape<Rank>& shape, F&& f, const A& a, location where = location::current()) {
    auto indices = detail::generate_array(std::make_index_sequence<Rank>{}, "backpermute", where, shape.sizes, f);
    return detail::gather_arrays("backpermute", where, indices, a);
}

/// The same after a has been made manifest: nothing is fused across.
template <ArrayLike A>
auto force(const A& a, location where = location::current()) {
    detail::Leaves<element_t<A>> out;
    detail::force(a.leaves().leaf, detail::leaf_count<element_t<A>>, out.leaf, where);
    return Delayed<element_t<A>, rank_v<A>>(std::move(out));
}

}  // namespace sinter
