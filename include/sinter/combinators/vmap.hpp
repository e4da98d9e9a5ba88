// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nested regular parallelism: functions of whole slices, applied to all of them; and folds of rows.
#pragma once

#include <sinter/array_control.hpp>

namespace sinter {

namespace detail {

/// What f is given of an array: a parameter that stands for one outer slice, an Exp if that is a scalar.
template <class A>
auto slice_argument_of(const A& a) {
    static_assert(rank_v<A> > 0, "vmap: an array of rank 0 has no slices; capture it");
    Leaves<element_t<A>> leaves;
    for (std::size_t i = 0; i < leaf_count<element_t<A>>; ++i) leaves.leaf[i] = slice_parameter(a.leaves().leaf[i]);
    Delayed<element_t<A>, rank_v<A> - 1> slice(std::move(leaves));
    if constexpr (rank_v<A> == 1)
        return slice();
    else
        return slice;
}

/// The arrays of all slices' results V...
template <class... V>
auto stacked(const StateLeaves<V...>*, const LeafRef* out) {
    auto one = [&]<class S>(const ArrayState<S>*) {
        using T = state_element_t<S>;
        Leaves<T> leaves;
        for (auto& leaf : leaves.leaf) leaf = *out++;
        return Delayed<T, ArrayState<S>::rank + 1>(std::move(leaves));
    };
    if constexpr (sizeof...(V) == 1)
        return one(static_cast<const ArrayState<V>*>(nullptr)...);
    else
        return std::tuple{one(static_cast<const ArrayState<V>*>(nullptr))...};
}

template <class F, class... A>
auto vmap_arrays(location where, F& f, const A&... a) {
    const LeafRef* first[] = {&a.leaves().leaf[0]...};
    check_same_outer("vmap", first, sizeof...(A), where);
    auto args = list_leaves(a...);
    OpenControl control("vmap", where);
    open_scope();
    std::tuple slices{slice_argument_of(a)...};
    using R = std::remove_cvref_t<decltype(std::apply(f, slices))>;
    using Results = typename SidesOf<R>::leaves;
    Results results, out;
    results.push_result(std::apply(f, slices), "vmap", where);
    close_scope(results.leaf, results.count);
    end_vmap(args.leaf, args.count, out.leaf);
    return stacked(static_cast<const Results*>(nullptr), out.leaf);
}

/// Slice i of an array's outermost axis, i a scalar of the enclosing program.
template <std::size_t... Axis, class A>
auto outer_slice_at(std::index_sequence<Axis...>, const A& a, Exp<std::int64_t> i, location where) {
    FunctionTrace<IndexType<Axis>...> trace("fold", where);
    auto inside = [&](const auto&... index) { return std::tuple(i, index...); };
    auto y = trace.call(inside);
    Leaves<typename decltype(y)::element_type> indices;
    end_generate_like(trace.serial(), y.handles, y.leaves, a.leaves().leaf[0], 1, indices.leaf);
    Leaves<element_t<A>> out;
    gather(indices.leaf, rank_v<A>, a.leaves().leaf, leaf_count<element_t<A>>, out.leaf, where);
    return Delayed<element_t<A>, rank_v<A> - 1>(std::move(out));
}

}  // namespace detail

/// f applied to the slices of arrays along their outermost axis, which is the result's: vmap(f, a)[i] = f(a[i]). f gets a
/// Delayed of one rank less for each array, an Exp for arrays of rank 1, and returns an array, an Exp or literal, or a
/// std::tuple of these; the result is an array of one rank more, or a std::tuple of them. All results of f have one shape,
/// whatever the slice. Nests to any depth; f may use arrays and Exps of the program around it. ShapeError if the outermost
/// extents differ.
template <class F, class A, class... As>
auto vmap(F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    return detail::vmap_arrays(a.where, f, *a.array, *as.array...);
}

/// Reduces the outermost axis with an operator of whole slices (Delayed, Delayed) -> Delayed: op(init, a[0]) and so on, one
/// after another. The result has the shape of init, which is that of a slice: its rank is at least 1.
template <class Op, ArrayLike Init, ArrayLike A>
    requires(rank_v<Init> > 0)
auto fold(Op&& op, const Init& init, const A& a, location where = location::current()) {
    static_assert(rank_v<Init> == rank_v<A> - 1, "fold of rows: the initial value has the rank of a slice");
    detail::Leaves<std::int64_t> rows;
    rows.leaf[0] = detail::extent_leaf(a.leaves().leaf[0], 0, where);
    Delayed<element_t<A>, rank_v<A>> source(a);
    auto body = [&](Exp<std::int64_t> i, const auto& total) {
        return op(total, detail::outer_slice_at(std::make_index_sequence<rank_v<Init>>{}, source, i, where));
    };
    return for_loop(Delayed<std::int64_t, 0>(std::move(rows)), body, Delayed<element_t<Init>, rank_v<Init>>(init), where);
}

}  // namespace sinter
