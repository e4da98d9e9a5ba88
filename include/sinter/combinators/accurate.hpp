// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums of floating-point numbers that are more accurate than sum. Let S be the exact sum of n numbers x, and u the unit
/// roundoff (2^-24 for float, 2^-53 for double). Without overflow the errors are at most
///
///   sum(a)                 (n - 1) u sum |x|, and usually far less
///   sum(a, pairwise)       4 ceil(log16 n) u sum |x|
///   sum(a, compensated)    u |S| + 8 n u^2 sum |x|
///
/// each up to terms of higher order, whatever the order of additions. The second is Higham's (Accuracy and Stability of
/// Numerical Algorithms, 2002, section 4.2). The third: partial sums are pairs, of which the second number is at most u
/// times the first; adding two of them loses 7 u^2 (|x| + |y|) at most (Joldes, Muller and Popescu 2017, Tight and Rigorous
/// Error Bounds for Basic Building Blocks of Double-Word Arithmetic, algorithm 5), and an element takes part in n - 1
/// additions at most.
#pragma once

#include <sinter/array_control.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/combinators/custom_derivative.hpp>
#include <sinter/combinators/pad.hpp>
#include <sinter/combinators/reduce.hpp>
#include <sinter/combinators/slice.hpp>

namespace sinter {

/// The last argument of sum. Additions form a balanced tree: there are as many as for sum, in one pass over the array and
/// further passes over a sixteenth of it and less.
struct Pairwise {};
inline constexpr Pairwise pairwise;
/// The last argument of sum. Partial sums carry what rounding has lost: a dozen operations per element, in one pass. Halves
/// are added as floats.
struct Compensated {};
inline constexpr Compensated compensated;

namespace detail {

template <class T>
concept Roundable = std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, double>;

/// The sum of x and y, and what is lost by rounding it (Knuth's two-sum).
template <class T>
std::tuple<Exp<T>, Exp<T>> two_sum(Exp<T> x, Exp<T> y) {
    const Exp<T> s = x + y, part = s - x;
    return {s, (x - (s - part)) + (y - part)};
}

template <ArrayLike A, int K>
auto compensated_sum(const A& a, const Axes<K>& axes, location where) {
    using T = element_t<A>;
    using Sum = std::tuple<T, T>;
    auto start = [](Exp<T> x) { return record<Sum>(x, T(0)); };
    auto add = [](Exp<Sum> x, Exp<Sum> y) {
        auto [s, lost] = two_sum<T>(get<0>(x), get<0>(y));
        const Exp<T> rest = (get<1>(x) + get<1>(y)) + lost, high = s + rest, low = rest - (high - s);
        const Exp<bool> is_finite = abs(s) < static_cast<T>(__builtin_inf());
        return record<Sum>(select(is_finite, high, s), select(is_finite, low, T(0)));
    };
    auto high_part = [](Exp<T> high, Exp<T>) { return high; };
    auto sums = fold_axes("sum", add, literal_leaves(Sum{}, where), map_arrays("sum", where, start, a), axes,
                          {.commutative = true}, where);
    return map_arrays("sum", where, high_part, sums);
}

inline constexpr int tree_width = 16;

/// The sum of slices [first, first + count) along the axis before the innermost.
template <class T, int Rank>
Delayed<T, Rank - 1> tree_of_slices(const Delayed<T, Rank>& a, int first, int count) {
    if (count > 1) return tree_of_slices(a, first, count / 2) + tree_of_slices(a, first + count / 2, count - count / 2);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return slice(a, ((void)I, all)..., first, all);
    }(std::make_index_sequence<Rank - 2>{});
}

/// Lines of the innermost axis, a sixteenth as long: element i is the sum of elements i, i + m, i + 2 m, ..., where m is the
/// new length.
template <class T, int Rank>
Delayed<T, Rank> shorter_lines(const Delayed<T, Rank>& a, location where) {
    const Exp<std::int64_t> n = extent(a, Rank - 1), m = (n + (tree_width - 1)) / std::int64_t{tree_width};
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        using Size = Exp<std::int64_t>;
        std::array<std::pair<Size, Size>, Rank> widths;
        for (auto& [before, after] : widths) before = after = Size(0);
        widths[Rank - 1].second = m * std::int64_t{tree_width} - n;
        const auto cut = reshape(pad(a, widths, T(0), where), shape(extent(a, I)..., tree_width, m), where);
        return tree_of_slices<T, Rank + 1>(cut, 0, tree_width);
    }(std::make_index_sequence<Rank - 1>{});
}

template <ArrayLike A>
auto pairwise_line_sums(const A& a, location where) {
    using T = element_t<A>;
    constexpr int rank = rank_v<A>;
    auto is_long = [](const Delayed<T, rank>& x) { return extent(x, rank - 1) > 1; };
    auto shorten = [=](const Delayed<T, rank>& x) { return shorter_lines<T, rank>(x, where); };
    const Delayed<T, rank> ends = while_loop(is_long, shorten, Delayed<T, rank>(a), where);
    return sum(ends, axis(-1), where);
}

/// The array with these axes as the innermost.
template <ArrayLike A, int K>
Delayed<element_t<A>, rank_v<A>> with_innermost(const A& a, const Axes<K>& axes, location where) {
    constexpr int rank = rank_v<A>;
    if constexpr (rank == 1) {
        return a;
    } else {
        bool moved[rank] = {};
        for (int k = 0; k < K; ++k) moved[axes.axes[k] < 0 ? axes.axes[k] + rank : axes.axes[k]] = true;
        int order[rank], next = 0;
        for (bool now : {false, true})
            for (int k = 0; k < rank; ++k)
                if (moved[k] == now) order[next++] = k;
        return transpose(a, order, where);
    }
}

template <int Count, ArrayLike A>
auto pairwise_sums(const A& a, location where) {
    if constexpr (Count == 0)
        return a;
    else
        return pairwise_sums<Count - 1>(pairwise_line_sums(a, where), where);
}

/// The array with the shape of `like` that has a sum's weight at each of its elements; the sums are along `axes`.
template <int K, class T, int Rank>
Delayed<T, Rank> spread_weights(const Delayed<T, Rank - K>& weights, const Delayed<T, Rank>& like, const Axes<K>& axes,
                                location where) {
    bool added[Rank] = {};
    for (int k = 0; k < K; ++k) added[axes.axes[k] < 0 ? axes.axes[k] + Rank : axes.axes[k]] = true;
    Axes<Rank - K> others{};
    int next = 0;
    for (int axis = 0; axis < Rank; ++axis)
        if (!added[axis]) others.axes[next++] = axis;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return broadcast(weights, shape(extent(like, I)...), others, where);
    }(std::make_index_sequence<Rank>{});
}

/// The loop over shorter and shorter lines has no derivative in reverse mode, so the sum has a rule: it is linear, and every
/// element has the weight of its sum.
template <int K, class T, int Rank>
Delayed<T, Rank - K> pairwise_sum(const Delayed<T, Rank>& a, const Axes<K>& axes, location where) {
    using Sums = Delayed<T, Rank - K>;
    auto add = [=](const Delayed<T, Rank>& x) -> Sums { return pairwise_sums<K>(with_innermost(x, axes, where), where); };
    auto spread = [=](const Sums&, const Sums& weights, const Delayed<T, Rank>& x) {
        return spread_weights<K, T, Rank>(weights, x, axes, where);
    };
    auto push = [=](const auto&, const auto& tangents) { return custom_vjp(add, spread, where)(std::get<0>(tangents)); };
    return custom_jvp(add, push, where)(a);
}

/// add(a); halves are added as floats.
template <ArrayLike A, class Add>
auto added_wide(const A& a, Add add, location where) {
    using T = element_t<A>;
    static_assert(Roundable<T>, "sum: integers are added exactly, so write sum(a): pairwise and compensated are for floats");
    if constexpr (std::is_same_v<T, half>) {
        auto widen = [](Exp<T> x) { return cast<float>(x); };
        auto narrow = [](Exp<float> x) { return cast<half>(x); };
        return map_arrays("sum", where, narrow, add(map_arrays("sum", where, widen, a)));
    } else {
        return add(a);
    }
}

}  // namespace detail

/// The sum with a small error (bounds at the top of this file), in the elements' own type. Infinities and NaNs are treated
/// as by sum.
template <ArrayLike A, int K>
auto sum(const A& a, const Axes<K>& axes, Pairwise, location where = location::current()) {
    sinter::sum(a, axes, where);  // says what is wrong with the axes
    auto add = [&]<class X>(const X& x) { return detail::pairwise_sum(Delayed<element_t<X>, rank_v<X>>(x), axes, where); };
    return detail::added_wide(a, add, where);
}
/// The sum with hardly any error (bounds at the top of this file), in the elements' own type. Infinities and NaNs are
/// treated as by sum.
template <ArrayLike A, int K>
auto sum(const A& a, const Axes<K>& axes, Compensated, location where = location::current()) {
    auto add = [&](const auto& x) { return detail::compensated_sum(x, axes, where); };
    return detail::added_wide(a, add, where);
}
/// Along the innermost axis.
template <class A>
auto sum(detail::Operand<A> a, Pairwise) {
    return sinter::sum(*a.array, axis(-1), pairwise, a.where);
}
/// Along the innermost axis.
template <class A>
auto sum(detail::Operand<A> a, Compensated) {
    return sinter::sum(*a.array, axis(-1), compensated, a.where);
}

}  // namespace sinter
