// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Element-wise combinators.
#pragma once

#include <sinter/detail/function.hpp>

namespace sinter {

namespace detail {

template <class F, class A, class... As>
auto map_arrays(const char* what, location where, F& f, const A& a, const As&... as) {
    static_assert(same_rank<A, As...>, "map: the arrays differ in rank");
    require_same_shape(what, where, a, as...);
    FunctionTrace<element_t<A>, element_t<As>...> trace(what, where);
    auto y = trace.call(f);
    auto args = list_leaves(a, as...);
    Leaves<typename decltype(y)::element_type> out;
    end_map(trace.serial(), y.handles, y.leaves, args.leaf, args.count, false, out.leaf);
    return Delayed<typename decltype(y)::element_type, rank_v<A>>(std::move(out));
}

template <std::size_t>
using IndexType = std::int64_t;

template <std::size_t... Axis, class F, class A, class... As>
auto map_indexed_arrays(std::index_sequence<Axis...>, const char* what, location where, F& f, const A& a, const As&... as) {
    static_assert(same_rank<A, As...>, "map_indexed: the arrays differ in rank");
    require_same_shape(what, where, a, as...);
    FunctionTrace<IndexType<Axis>..., element_t<A>, element_t<As>...> trace(what, where);
    auto y = trace.call(f);
    auto args = list_leaves(a, as...);
    Leaves<typename decltype(y)::element_type> out;
    end_map(trace.serial(), y.handles, y.leaves, args.leaf, args.count, true, out.leaf);
    return Delayed<typename decltype(y)::element_type, rank_v<A>>(std::move(out));
}
template <class Axes, class F, class A, class... As>
auto map_indexed_arrays(Axes axes, location where, F& f, const A& a, const As&... as) {
    return map_indexed_arrays(axes, "map_indexed", where, f, a, as...);
}

}  // namespace detail

/// f applied to the elements of arrays of one shape, which is also the shape of the result. ShapeError if the shapes differ.
template <class F, class A, class... As>
auto map(F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    return detail::map_arrays("map", a.where, f, *a.array, *as.array...);
}

/// As map, but f is first given the element's indices: f(i, j, x) for arrays of rank 2.
template <class F, class A, class... As>
auto map_indexed(F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    return detail::map_indexed_arrays(std::make_index_sequence<rank_v<A>>{}, a.where, f, *a.array, *as.array...);
}

}  // namespace sinter
