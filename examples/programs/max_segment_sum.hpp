// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The largest sum of a contiguous segment: a fold whose operator is associative but not commutative.
#pragma once

#include "common.hpp"

namespace programs {

/// For a piece of the input: its best segment, the best that starts at its left end, the best that ends at its right end,
/// and its sum.
template <class T>
using Segment = std::tuple<T, T, T, T>;

inline constexpr auto one_element = [](auto x) {
    auto best = max(x, 0);
    return std::tuple(best, best, best, x);
};

inline constexpr auto join_segments = []<class T>(Exp<Segment<T>> left, Exp<Segment<T>> right) {
    auto [best_l, head_l, tail_l, total_l] = left;
    auto [best_r, head_r, tail_r, total_r] = right;
    return std::tuple(max(max(best_l, best_r), tail_l + head_r), max(head_l, total_l + head_r),
                      max(tail_r, tail_l + total_r), total_l + total_r);
};

/// For each line along the innermost axis.
template <ArrayLike A>
auto maximum_segment_sum(const A& x) {
    return get<0>(fold(join_segments, Segment<element_t<A>>{}, map(one_element, x)));
}

/// For every prefix.
template <ArrayLike A>
auto maximum_segment_sums(const A& x) {
    return get<0>(inclusive_scan(join_segments, map(one_element, x)));
}

/// A sum, with the first and last position of its segment.
using Place = std::tuple<std::int32_t, std::int32_t, std::int32_t>;
using PlacedSegment = Segment<Place>;
inline constexpr Place empty_place{0, 0x7fffffff, -1};

/// The larger sum; if they are equal, the one that starts first, then the one that ends last.
inline Exp<Place> better(Exp<Place> a, Exp<Place> b) {
    auto [va, fa, la] = a;
    auto [vb, fb, lb] = b;
    return select(va > vb || (va == vb && (fa < fb || (fa == fb && la >= lb))), a, b);
}
inline Exp<Place> followed_by(Exp<Place> a, Exp<Place> b) {
    auto [va, fa, la] = a;
    auto [vb, fb, lb] = b;
    return std::tuple(va + vb, min(fa, fb), max(la, lb));
}

/// The largest sum and where it is: of equal sums the first, and of these the longest.
inline Delayed<Place, 0> maximum_segment(Delayed<std::int32_t> x) {
    auto one = [](Exp<std::int64_t> i, Exp<std::int32_t> v) {
        auto at = cast<std::int32_t>(i);
        Exp<Place> here = std::tuple(v, at, at);
        Exp<Place> best = better(here, empty_place);
        return std::tuple(best, best, best, here);
    };
    auto join = [](Exp<PlacedSegment> left, Exp<PlacedSegment> right) {
        auto [best_l, head_l, tail_l, total_l] = left;
        auto [best_r, head_r, tail_r, total_r] = right;
        return std::tuple(better(better(best_l, best_r), followed_by(tail_l, head_r)),
                          better(head_l, followed_by(total_l, head_r)), better(tail_r, followed_by(tail_l, total_r)),
                          followed_by(total_l, total_r));
    };
    return get<0>(fold(join, PlacedSegment{empty_place, empty_place, empty_place, empty_place}, map_indexed(one, x)));
}

inline Array<std::int32_t> segment_input(std::int64_t n) {
    return make_input(n, [](Exp<std::int64_t> i) { return cast<std::int32_t>(below(3, i, 201) - 100); });
}

}  // namespace programs
