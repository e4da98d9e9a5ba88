// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// slice(a, all, range(lo, hi, step)), and the marker `all`, which is also the reduction all(a).
#pragma once

#include <sinter/combinators/reduce.hpp>
#include <sinter/combinators/view.hpp>

namespace sinter {

/// As an argument of slice: the whole axis. As a function: whether all elements along an axis (default: the innermost) hold.
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

}  // namespace detail

/// One specification an axis, outermost first: `all` or range(low, high, step). ShapeError if a range leaves the axis.
template <class A, class... Spec>
auto slice(detail::Operand<A> a, const Spec&... spec) {
    static_assert(sizeof...(Spec) == rank_v<A>, "slice: one specification (all or a range) an axis");
    detail::SliceArgument axes[] = {detail::slice_argument(spec)...};
    auto view = [&](auto& leaf) { return detail::slice(leaf, axes, sizeof...(Spec), a.where); };
    return detail::view_leaves<rank_v<A>>(*a.array, view);
}

/// An index is no specification: the message says what to write instead.
template <class A, class... Spec>
    requires(detail::SizeLike<Spec> || ...)
auto slice(detail::Operand<A> a, const Spec&...) {
    static_assert(detail::never<A>,
                  "slice takes all or a range for each axis, not an index: write range(i, i + 1), "
                  "and reshape the result to drop the axis");
    return Delayed<element_t<A>, rank_v<A>>(*a.array);
}

}  // namespace sinter
