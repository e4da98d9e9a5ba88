// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The k-th element and what follows from it: medians, quantiles, the largest elements, partitions. They select instead of
/// sorting: a few passes over the array, each of which finds eight more bits of the element.
#pragma once

#include <sinter/array_control.hpp>
#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/combinators/make.hpp>
#include <sinter/combinators/scatter.hpp>
#include <sinter/combinators/sort.hpp>
#include <sinter/combinators/update.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/detail/build.hpp>

#include <limits>

namespace sinter {

namespace detail {

/// Unsigned integers in the order used by sort: NaNs are the greatest.
template <class T>
using key_t = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;

template <class T>
Exp<key_t<T>> selection_key(Exp<T> x) {
    using U = key_t<T>;
    constexpr U sign = U{1} << (8 * sizeof(U) - 1);
    if constexpr (std::is_same_v<T, half>) {
        return selection_key(cast<float>(x));
    } else if constexpr (std::is_floating_point_v<T>) {
        const Exp<U> bits = bit_cast<U>(x);
        const Exp<U> ordered = select((bits & sign) != U{0}, ~bits, bits | sign);
        return select(x == x, ordered, ~U{0});
    } else if constexpr (std::is_signed_v<T>) {
        return cast<U>(x) ^ sign;
    } else {
        return cast<U>(x);
    }
}

/// The key with number `rank`, counted from 0 in ascending order.
template <class U>
Delayed<U, 0> select_key(const Delayed<U>& keys, const Delayed<std::int64_t, 0>& rank, location where) {
    constexpr int digits = 256, passes = static_cast<int>(sizeof(U));
    auto pass = [&](Exp<std::int64_t> p, const Delayed<U, 0>& prefix, const Delayed<std::int64_t, 0>& left) {
        const Exp<U> shift = cast<U>(8 * (passes - 1 - p));
        auto digit = [&](Exp<U> key) {
            const Exp<U> high = key >> shift;
            // Not shifted by 8 more bits at once: that may be the width.
            return select((high >> U{8}) == prefix(), cast<std::int64_t>(high & U{digits - 1}), -1);
        };
        auto ones = map([](auto) { return Exp<std::int64_t>(1); }, keys);
        auto plus = [](auto a, auto b) { return a + b; };
        const auto counts = histogram(digits, plus, std::int64_t{0}, map(digit, keys), ones);
        const auto up_to = inclusive_scan(plus, counts);
        const auto found =
            sum(map([&](auto c) { return select(c <= left(), Exp<std::int64_t>(1), 0); }, up_to), axis(0), where);
        const auto below =
            sum(map([&](auto c, auto n) { return select(c <= left(), n, 0); }, up_to, counts), axis(0), where);
        return std::tuple(map([](auto high, auto low) { return high << U{8} | cast<U>(low); }, prefix, found), left - below);
    };
    const Delayed<U, 0> zero(literal_leaves(U{0}, where));
    return std::get<0>(for_loop(passes, pass, zero, rank));
}

template <ArrayLike A>
auto selection_keys(const A& a, location where) {
    return force(map([](Exp<element_t<A>> x) { return selection_key(x); }, a), where);
}

/// The position of the first element with this key; 0 if there is none.
template <class T>
Delayed<T, 0> element_with(const Delayed<T>& a, const Delayed<key_t<T>>& keys, const Delayed<key_t<T>, 0>& key,
                           location where) {
    constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();
    auto least = [](auto x, auto y) { return min(x, y); };
    auto place = [&](auto i, auto k) { return select(k == key(), i, nowhere); };
    const auto at = fold(least, nowhere, map_indexed(place, keys), axis(0), where);
    return sum(map_indexed([&](auto i, Exp<T> x) { return select(i == at(), x, T(0)); }, a), axis(0), where);
}

/// Lines of up to so many elements are sorted instead (16,376 windows of 9 floats, one thread: 4.0 ms instead of 63).
inline constexpr std::int64_t few_to_sort = 256;

/// True if a line has up to so many elements, and at least one.
template <class T>
Delayed<bool, 0> has_few(const Delayed<T>& a, location where) {
    const Delayed<std::int64_t, 0> zero(literal_leaves(std::int64_t{0}, where));
    return map([&](auto none) { return none + extent(a, 0) <= few_to_sort && extent(a, 0) > none; }, zero);
}

/// line_quantile of a line with at least one element, by sorting it. NaNs come last.
template <class T>
Delayed<T, 0> sorted_quantile(const Delayed<T>& a, const Delayed<double, 0>& q, location where) {
    const Delayed<T> ordered = sort(a, where);
    auto pick = [&](Exp<double> part) {
        const Exp<std::int64_t> last = extent(a, 0) - 1;
        const Exp<double> p = part * cast<double>(last);
        const Exp<std::int64_t> at = cast<std::int64_t>(floor(p));
        const Exp<T> x = ordered(at), next = ordered(min(at + 1, last)), greatest = ordered(last);
        const Exp<T> found = select(p == floor(p), x, x + (next - x) * cast<T>(p - floor(p)));
        return select(greatest == greatest, found, greatest);
    };
    return map(pick, q);
}

/// The element of a line at position q (n - 1) in ascending order; between two elements, by linear interpolation.
template <class T>
Delayed<T, 0> selected_quantile(const Delayed<T>& a, const Delayed<double, 0>& q, location where) {
    using U = key_t<T>;
    const auto keys = selection_keys(a, where);
    const auto n = map([&](auto one) { return one * 0.0 + cast<double>(extent(a, 0)); }, q);
    const auto at = map([](auto part, auto count) { return part * (count - 1.0); }, q, n);
    const auto low = map([](auto p) { return cast<std::int64_t>(floor(p)); }, at);
    const auto key = select_key(keys, low, where);
    auto plus = [](auto x, auto y) { return x + y; };
    const auto up_to =
        fold(plus, std::int64_t{0}, map([&](auto k) { return select(k <= key(), Exp<std::int64_t>(1), 0); }, keys));
    auto least = [](auto x, auto y) { return min(x, y); };
    const auto above = fold(least, ~U{0}, map([&](auto k) { return select(k > key(), k, ~U{0}); }, keys));
    // The elements themselves are read, not numbers made from their keys, so that derivatives pass through them.
    const auto first = element_with(a, keys, key, where);
    const auto second = element_with(
        a, keys,
        map([](auto k, auto next, auto count, auto p) { return select(count > cast<std::int64_t>(floor(p)) + 1, k, next); },
            key, above, up_to, at),
        where);
    auto between = [](Exp<T> x, Exp<T> next, Exp<double> p) {
        return select(p == floor(p), x, x + (next - x) * cast<T>(p - floor(p)));
    };
    const auto found = map(between, first, second, at);
    const auto nan = any(map([](Exp<T> x) { return x != x; }, a), axis(0), where);
    auto or_nan = [](auto has, auto count, auto x) {
        return select(has || count == 0.0, Exp<T>(std::numeric_limits<T>::quiet_NaN()), x);
    };
    return map(or_nan, nan, n, found);
}

template <class T>
Delayed<T, 0> line_quantile(const Delayed<T>& a, const Delayed<double, 0>& q, location where) {
    if (const std::int64_t n = extent_if_known(a.leaves().leaf[0], 0, where); n >= 0)
        return 0 < n && n <= few_to_sort ? sorted_quantile(a, q, where) : selected_quantile(a, q, where);
    return cond(
        has_few(a, where), [&] { return sorted_quantile(a, q, where); }, [&] { return selected_quantile(a, q, where); },
        where);
}

/// What line_top_k returns, for few elements: one after another, each the greatest of those behind the last one found.
template <class T>
auto line_top_few(const Delayed<T>& a, std::int64_t k, location where) {
    using U = key_t<T>;
    using Long = std::int64_t;
    constexpr Long nowhere = std::numeric_limits<Long>::max();
    const auto keys = selection_keys(a, where);
    auto is_first = [](auto x, auto i, auto y, auto j) { return x > y || (x == y && i < j); };
    auto first = [&](auto x, auto y) {
        auto [key, at] = x;
        auto [other, place] = y;
        auto stays = is_first(key, at, other, place);
        return std::tuple(select(stays, key, other), select(stays, at, place));
    };
    auto next = [&](Exp<Long> p, const Delayed<Long>& found, const Delayed<U, 0>& key, const Delayed<Long, 0>& at) {
        auto behind = [&](auto i, auto x) {
            auto is_behind = is_first(key(), at(), x, i);
            return std::tuple(select(is_behind, x, U{0}), select(is_behind, i, nowhere));
        };
        auto [x, place] = unzip(fold(first, std::tuple(U{0}, nowhere), map_indexed(behind, keys), axis(0), where));
        return std::tuple(update(found, index(p), place()), x, place);
    };
    const auto places = take(map_indexed([](auto i, auto) { return i; }, keys), k, axis(0), where);
    const Delayed<U, 0> greatest(literal_leaves(~U{0}, where));
    const Delayed<Long, 0> before(literal_leaves(Long{-1}, where));
    const Delayed<Long> indices = std::get<0>(for_loop(k, next, places, greatest, before));
    return std::tuple{gather(indices, a), indices};
}

/// Up to so many elements are found one after another (2^20 floats, one thread: 5 take 2.5 ms, 16 take 6.7; by digits, any
/// number takes 6.3. 1000 lines of 1000, whose elements are computed: 5 take 6.4 ms instead of 12).
inline constexpr std::int64_t few_elements = 16;

/// {values, indices} of the k greatest elements of a line, the greatest first; among equal ones, the first ones.
template <class T>
auto line_top_k(const Delayed<T>& a, std::int64_t k, location where) {
    using Long = std::int64_t;
    const auto keys = selection_keys(a, where);
    const Delayed<Long, 0> zero(literal_leaves(Long{0}, where));
    const auto rank = map([&](auto none) { return none + extent(a, 0) - k; }, zero);
    const auto key = select_key(keys, map([&](auto r) { return max(min(r, extent(a, 0) - 1), 0); }, rank), where);
    auto plus = [](auto x, auto y) { return x + y; };
    auto one_where = [](auto condition) { return select(condition, Exp<Long>(1), 0); };
    const auto greater = fold(plus, Long{0}, map([&](auto x) { return one_where(x > key()); }, keys));
    const auto equal = exclusive_scan(plus, Long{0}, map([&](auto x) { return one_where(x == key()); }, keys));
    auto is_taken = [&](auto x, auto before) { return one_where(x > key() || (x == key() && before < k - greater())); };
    const auto taken = map(is_taken, keys, equal);
    const auto place = exclusive_scan(plus, Long{0}, taken);
    const auto index = map([](auto t, auto p) { return select(t == 1, p, -1); }, taken, place);
    const auto places = map_indexed([](auto i, auto) { return i; }, keys);
    const auto chosen = scatter(take(places, k, axis(0), where), index, places);
    const auto chosen_keys = gather(chosen, keys);
    // Descending and stable: the complements ascend.
    const Delayed<Long> indices = std::get<1>(sort_by_key(map([](auto x) { return ~x; }, chosen_keys), chosen, where));
    return std::tuple{gather(indices, a), indices};
}

/// The positions that partition a line around its element number k: less, equal, greater, each in order.
template <class T>
auto line_partition(const Delayed<T>& a, std::int64_t k, location where) {
    using Long = std::int64_t;
    const auto keys = selection_keys(a, where);
    const auto key = select_key(keys, Delayed<Long, 0>(literal_leaves(k, where)), where);
    auto plus = [](auto x, auto y) {
        auto [less, equal, greater] = x;
        auto [l, e, g] = y;
        return std::tuple(less + l, equal + e, greater + g);
    };
    auto one_where = [](auto condition) { return select(condition, Exp<Long>(1), 0); };
    auto kind = [&](auto x) { return std::tuple(one_where(x < key()), one_where(x == key()), one_where(x > key())); };
    const auto kinds = map(kind, keys);
    const std::tuple none{Long{0}, Long{0}, Long{0}};
    const auto total = fold(plus, none, kinds);
    auto place = [&](auto x, auto seen) {
        auto [less, equal, greater] = seen;
        auto [all_less, all_equal, all_greater] = total();
        return select(x < key(), less, select(x == key(), all_less + equal, all_less + all_equal + greater));
    };
    const auto places = map(place, keys, exclusive_scan(plus, none, kinds));
    const auto positions = map_indexed([](auto i, auto) { return i; }, keys);
    return scatter(positions, places, positions);
}

}  // namespace detail

/// The element at position q (n - 1) of each line along the innermost axis in ascending order, 0 <= q <= 1; between two
/// elements, on the straight line through them, as in NumPy. q is a number, an Exp or an array of rank 0. NaN where a line
/// has a NaN or no element.
template <ArrayLike A, class Q>
auto quantile(const A& a, const Q& q, location where = location::current()) {
    using T = element_t<A>;
    static_assert(rank_v<A> > 0, "quantile needs an array of rank 1 at least");
    if constexpr (std::is_integral_v<T>)
        return quantile(cast<double>(a), q, where);
    else {
        const Delayed<double, 0> position(detail::scalar_leaves<double>(q, "quantile", where));
        return detail::each_line(Delayed<T, rank_v<A>>(a),
                                 [&](const Delayed<T>& line) { return detail::line_quantile(line, position, where); });
    }
}

template <ArrayLike A, class Q>
auto quantile(const A& a, const Q& q, Axes<1> axis, location where = location::current()) {
    return quantile(detail::innermost("quantile", a, axis, where), q, where);
}

/// The middle element of each line along the innermost axis, or the mean of the two middle ones.
template <ArrayLike A>
auto median(const A& a, location where = location::current()) {
    return quantile(a, 0.5, where);
}
template <ArrayLike A>
auto median(const A& a, Axes<1> axis, location where = location::current()) {
    return median(detail::innermost("median", a, axis, where), where);
}

/// The k greatest elements of each line along the innermost axis, the greatest first, and their positions: a std::tuple of
/// values and indices. Among equal elements the first ones are taken; NaNs count as the greatest. ShapeError if a line has
/// fewer than k elements.
template <ArrayLike A>
auto top_k(const A& a, std::int64_t k, location where = location::current()) {
    static_assert(rank_v<A> > 0, "top_k needs an array of rank 1 at least");
    using T = element_t<A>;
    return detail::each_line(Delayed<T, rank_v<A>>(a), [=](const Delayed<T>& line) {
        return k <= detail::few_elements ? detail::line_top_few(line, k, where) : detail::line_top_k(line, k, where);
    });
}
template <ArrayLike A>
auto top_k(const A& a, std::int64_t k, Axes<1> axis, location where = location::current()) {
    const auto [values, indices] = top_k(detail::innermost("top_k", a, axis, where), k, where);
    return std::tuple(detail::moved_back("top_k", values, axis, where), detail::moved_back("top_k", indices, axis, where));
}

/// Indices for each line along the innermost axis: first those of the elements that are less than element number k in
/// ascending order, then those equal to it, then the others, each group in its order.
template <ArrayLike A>
auto argpartition(const A& a, std::int64_t k, location where = location::current()) {
    static_assert(rank_v<A> > 0, "argpartition needs an array of rank 1 at least");
    using T = element_t<A>;
    return detail::each_line(Delayed<T, rank_v<A>>(a),
                             [=](const Delayed<T>& line) { return detail::line_partition(line, k, where); });
}
template <ArrayLike A>
auto argpartition(const A& a, std::int64_t k, Axes<1> axis, location where = location::current()) {
    const auto places = argpartition(detail::innermost("argpartition", a, axis, where), k, where);
    return detail::moved_back("argpartition", places, axis, where);
}

}  // namespace sinter
