// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays whose sizes depend on data. They take arrays of rank 1 and keep the order of elements. The extents of the results
/// are not known before they are computed: inside a program size(result) is an Exp.
#pragma once

#include <sinter/combinators/map.hpp>

namespace sinter {

namespace detail {

template <class M, class A>
auto compact_array(const char* what, const M& mask, const A& a, location where) {
    using T = element_t<A>;
    static_assert(std::is_same_v<element_t<M>, bool>, "filter: what says which elements to keep is boolean");
    static_assert(rank_v<M> == 1 && rank_v<A> == 1, "filter: the array has rank 1; flatten it");
    require_same_shape(what, where, mask, a);
    Leaves<T> out;
    compact(mask.leaves().leaf[0], a.leaves().leaf, leaf_count<T>, out.leaf, where);
    return Delayed<T, 1>(std::move(out));
}

}  // namespace detail

/// The elements of a where mask is true; mask is an array of booleans of a's shape. ShapeError if the shapes differ.
template <class M, class A>
auto compact(detail::Operand<M> mask, detail::Operand<A> a) {
    return detail::compact_array("compact", *mask.array, *a.array, mask.where);
}

/// The elements x of a for which pred(x) holds.
template <class F, class A>
auto filter(F&& pred, detail::Operand<A> a) {
    auto mask = detail::map_arrays("filter", a.where, pred, *a.array);
    return detail::compact_array("filter", mask, *a.array, a.where);
}

/// A std::tuple of the elements of a for which pred holds, and of those for which it does not.
template <class F, class A>
auto partition(F&& pred, detail::Operand<A> a) {
    auto mask = detail::map_arrays("partition", a.where, pred, *a.array);
    auto negate = [](Exp<bool> m) { return !m; };
    auto rest = detail::map_arrays("partition", a.where, negate, mask);
    return std::tuple(detail::compact_array("partition", mask, *a.array, a.where),
                      detail::compact_array("partition", rest, *a.array, a.where));
}

}  // namespace sinter
