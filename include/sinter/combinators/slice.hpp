// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// slice(a, all, range(lo, hi, step)), and the marker `all`, which is also the reduction all(a).
#pragma once

#include <sinter/combinators/reduce.hpp>
#include <sinter/combinators/view.hpp>

namespace sinter {

/// As an argument of slice: the whole axis. As a function: true where all elements along an axis (default: the innermost)
/// are true.
struct All {
    template <ArrayLike A>
    auto operator()(const A& a, location where = location::current()) const {
        return (*this)(a, axis(-1), where);
    }
    template <ArrayLike A, int K>
    auto operator()(const A& a, const Axes<K>& axes, location where = location::current()) const {
        static_assert(std::is_same_v<element_t<A>, bool>, "all: the elements are booleans");
        auto op = [](Exp<bool> x, Exp<bool> y) { return x && y; };
        return detail::fold_axes("all", op, detail::literal_leaves(true, where), a, axes, {.commutative = true}, where);
    }
};
inline constexpr All all{};

namespace detail {

inline SliceArgument slice_argument(const All&) { return {}; }
inline SliceArgument slice_argument(const Range& range) { return {false, range.low, range.high, range.step}; }

template <SizeLike V>
SliceArgument slice_argument(const V& index) {
    if constexpr (is_exp<V>)
        return {false, size_argument(index), size_argument(index + 1), 1};
    else
        return {false, size_argument(index), size_argument(static_cast<std::int64_t>(index) + 1), 1};
}

template <class V>
inline constexpr bool is_slice_spec = std::is_same_v<V, All> || std::is_same_v<V, Range> || SizeLike<V>;

}  // namespace detail

/// One specification per axis, outermost first: `all`, range(low, high, step), or an index, whose axis the result does not
/// have: slice(m, 1, all) is row 1. ShapeError if a range or an index leaves the axis.
template <class A, class... Spec>
auto slice(detail::Operand<A> a, const Spec&... spec) {
    static_assert(sizeof...(Spec) == rank_v<A>, "slice: one specification (all, a range or an index) an axis");
    static_assert((detail::is_slice_spec<Spec> && ...), "slice: a specification is all, a range or an index");
    static constexpr bool dropped[] = {detail::SizeLike<Spec>...};
    constexpr int kept = ((detail::SizeLike<Spec> ? 0 : 1) + ...);
    const detail::SliceArgument axes[] = {detail::slice_argument(spec)...};
    auto view = [&](auto& leaf) {
        detail::LeafRef part = detail::slice(leaf, axes, sizeof...(Spec), a.where);
        return kept == rank_v<A> ? part : detail::without_axes(part, dropped, a.where);
    };
    return detail::view_leaves<kept>(*a.array, view);
}

/// Row i of an array: the elements at index i of its outermost axis.
template <class A, detail::SizeLike I>
auto row(detail::Operand<A> a, const I& i) {
    return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
        return slice(a, i, ((void)Axis, all)...);
    }(std::make_index_sequence<static_cast<std::size_t>(rank_v<A>) - 1>{});
}
/// Column j of an array: the elements at index j of its innermost axis.
template <class A, detail::SizeLike J>
auto column(detail::Operand<A> a, const J& j) {
    return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
        return slice(a, ((void)Axis, all)..., j);
    }(std::make_index_sequence<static_cast<std::size_t>(rank_v<A>) - 1>{});
}

}  // namespace sinter
