// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nested regular parallelism: functions of whole slices, which are applied to all slices; folds and scans of rows.
#pragma once

#include <sinter/combinators/scan.hpp>

#include <sinter/array_control.hpp>
#include <sinter/detail/slices_in_turn.hpp>

namespace sinter {

namespace detail {

/// What f is given for an array: one outer slice, whose leaves these are, or an Exp if that is a scalar. Takes as many.
template <class A>
auto slice_argument_of(const LeafRef*& from) {
    static_assert(rank_v<A> > 0, "vmap: an array of rank 0 has no slices; capture it");
    Leaves<element_t<A>> leaves;
    for (auto& leaf : leaves.leaf) leaf = *from++;
    Delayed<element_t<A>, rank_v<A> - 1> slice(std::move(leaves));
    if constexpr (rank_v<A> == 1)
        return slice();
    else
        return slice;
}
/// A parameter that stands for an outer slice.
template <class A>
auto slice_argument_of(const A& a) {
    static_assert(rank_v<A> > 0, "vmap: an array of rank 0 has no slices; capture it");
    LeafRef leaves[leaf_count<element_t<A>>];
    for (std::size_t i = 0; i < leaf_count<element_t<A>>; ++i) leaves[i] = slice_parameter(a.leaves().leaf[i]);
    const LeafRef* from = leaves;
    return slice_argument_of<A>(from);
}

/// The arrays that hold the results V... of all slices.
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

/// True if results V... of a slice have extents.
template <class... V>
constexpr bool has_arrays(const StateLeaves<V...>*) {
    return ((ArrayState<V>::rank > 0) || ...);
}

template <class A>
using SliceArgumentOf = decltype(slice_argument_of(std::declval<const A&>()));

template <class F, class A, class... As>
    requires(!std::is_invocable_v<F&, SliceArgumentOf<A>, SliceArgumentOf<As>...>)
auto vmap_arrays(location, F&, const A& a, const As&...) {
    static_assert(
        never<F>,
        "vmap: the function takes one slice of each array: write Delayed<T, r - 1> for an array of rank r, Exp<T> for "
        "one of rank 1, or auto");
    return Delayed<element_t<A>, rank_v<A>>(a);
}

template <class F, class... A>
    requires std::is_invocable_v<F&, SliceArgumentOf<A>...>
auto vmap_arrays(location where, F& f, const A&... a) {
    const LeafRef* first[] = {&a.leaves().leaf[0]...};
    check_same_outer("vmap", first, sizeof...(A), where);
    auto args = list_leaves(a...);
    using R = std::remove_cvref_t<std::invoke_result_t<F&, SliceArgumentOf<A>...>>;
    using Results = typename SidesOf<R>::leaves;
    auto record = [&]([[maybe_unused]] const LeafRef* slices, Results& results) {
        std::tuple arguments{slice_argument_of<A>(slices)...};
        results.push_result(std::apply(f, arguments), "vmap", where);
    };
    constexpr bool may_go_in_turn = has_arrays(static_cast<const Results*>(nullptr));
    bool in_turn = false;
    Results out;
    {
        OpenControl control("vmap", where);
        open_scope();
        LeafRef slices[std::extent_v<decltype(args.leaf)>];
        for (std::size_t k = 0; k < args.count; ++k) slices[k] = slice_parameter(args.leaf[k]);
        Results results;
        record(slices, results);
        close_scope(results.leaf, results.count);
        if constexpr (may_go_in_turn) in_turn = is_shaped_inside(results.leaf, results.count);
        if (!in_turn) end_vmap(args.leaf, args.count, out.leaf);
    }
    if constexpr (may_go_in_turn) {
        auto again = [](void* function, const LeafRef* slices, Results& results) {
            (*static_cast<decltype(record)*>(function))(slices, results);
        };
        if (in_turn) return slices_in_turn<Results>(where, args.leaf, {&record, again});
    }
    return stacked(static_cast<const Results*>(nullptr), out.leaf);
}

/// A slice of `a` as a parameter of the scope.
template <class A>
auto row_of(const A& a) {
    Leaves<element_t<A>> leaves;
    for (std::size_t i = 0; i < leaf_count<element_t<A>>; ++i) leaves.leaf[i] = slice_parameter(a.leaves().leaf[i]);
    return Delayed<element_t<A>, rank_v<A> - 1>(std::move(leaves));
}

/// Combines the slices of a with init: a scan has a's rank; a fold has the rank of a slice.
template <bool Scan, class Op, class Init, class A>
auto combine_rows(const char* what, const RowsKind& kind, Op& op, const Init& init, const A& a, location where) {
    using T = element_t<A>;
    static_assert(std::is_same_v<element_t<Init>, T> && rank_v<Init> == rank_v<A> - 1,
                  "an operator of rows: the initial value is an array like a slice");
    OpenControl control(what, where);
    open_scope();
    const auto left = row_of(a), right = row_of(a);
    const Delayed<T, rank_v<Init>> made = op(left, right);
    close_scope(made.leaves().leaf, leaf_count<T>);
    const Leaves<T> inits = Delayed<T, rank_v<Init>>(init).leaves(), args = Delayed<T, rank_v<A>>(a).leaves();
    Leaves<T> out;
    end_rows(kind, inits.leaf, args.leaf, leaf_count<T>, out.leaf);
    return Delayed<T, rank_v<A> - (Scan ? 0 : 1)>(std::move(out));
}

}  // namespace detail

/// f applied to the slices of arrays along their outermost axis, which is also the result's: vmap(f, a)[i] = f(a[i]). f gets
/// a Delayed of one rank less for each array, or an Exp for an array of rank 1, and returns an array, an Exp or literal, or
/// a std::tuple of these; the result is an array of one rank more, or a std::tuple of them. The shape of f's results must
/// not depend on the slice; where a foreign function decides about it, the slices go one after another. vmap nests to any
/// depth; f may use arrays and Exps of the program around it. ShapeError if the outermost extents differ.
template <class F, class A, class... As>
auto vmap(F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    return detail::vmap_arrays(a.where, f, *a.array, *as.array...);
}

namespace detail {

/// f applied to each slice of the innermost K axes.
template <int K, class T, int Rank, class F>
auto each_slice(const Delayed<T, Rank>& a, const F& f) {
    if constexpr (Rank == K)
        return f(a);
    else
        return vmap([&](const Delayed<T, Rank - 1>& part) { return each_slice<K>(part, f); }, a);
}

/// f applied to each line along the innermost axis.
template <class T, int Rank, class F>
auto each_line(const Delayed<T, Rank>& a, const F& f) {
    return each_slice<1>(a, f);
}

}  // namespace detail

/// Reduces the outermost axis with an associative operator on whole slices, (Delayed, Delayed) -> Delayed. The result has
/// the shape of init, which is that of a slice: its rank is at least 1. An operator that combines element with element,
/// using any scalars and arrays of the program around it, is executed like a fold of elements along axis 0; any other is
/// applied to one slice after another.
template <class Op, ArrayLike Init, ArrayLike A>
    requires(rank_v<Init> > 0)
auto fold(Op&& op, const Init& init, const A& a, location where = location::current()) {
    return detail::combine_rows<false>("fold", {}, op, init, a, where);
}

/// Element i is init op a[0] op ... op a[i], for whole slices as above. from_right: a[i] op ... op a[n - 1] op init.
template <class Op, ArrayLike Init, class A, class... O>
    requires(rank_v<Init> > 0 && (std::is_same_v<O, FromRight> && ...))
auto inclusive_scan(Op&& op, const Init& init, detail::Operand<A> a, const O&...) {
    return detail::combine_rows<true>("inclusive_scan", {.scan = true, .reverse = sizeof...(O) > 0}, op, init, *a.array,
                                      a.where);
}
/// Element i is init op a[0] op ... op a[i - 1], for whole slices as above.
template <class Op, ArrayLike Init, class A, class... O>
    requires(rank_v<Init> > 0 && (std::is_same_v<O, FromRight> && ...))
auto exclusive_scan(Op&& op, const Init& init, detail::Operand<A> a, const O&...) {
    return detail::combine_rows<true>("exclusive_scan", {.scan = true, .exclusive = true, .reverse = sizeof...(O) > 0}, op,
                                      init, *a.array, a.where);
}

}  // namespace sinter
