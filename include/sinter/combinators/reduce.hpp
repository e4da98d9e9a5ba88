// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Named reductions. All take axis(k) or axes(...) and default to the innermost axis. (all(a) is in combinators/slice.hpp.)
#pragma once

#include <sinter/combinators/fold.hpp>
#include <sinter/detail/mistake.hpp>

namespace sinter {

namespace detail {

/// The greatest (or least) value of a scalar type: neutral for min (or max).
template <class T>
constexpr T extreme(bool greatest) {
    if constexpr (std::is_integral_v<T>) {
        constexpr T all_ones = static_cast<T>(~std::make_unsigned_t<T>{0});
        constexpr T highest =
            std::is_signed_v<T> ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(all_ones) >> 1) : all_ones;
        return greatest ? highest : static_cast<T>(static_cast<std::make_unsigned_t<T>>(~std::make_unsigned_t<T>(highest)));
    } else {
        return static_cast<T>(greatest ? __builtin_inf() : -__builtin_inf());
    }
}

inline constexpr FoldKind extreme_kind{.commutative = true, .nonempty = true};

template <ArrayLike A, int K, class Better>
auto arg_extreme(const char* what, const A& a, const Axes<K>& axes, bool smallest, Better better, location where);

}  // namespace detail

/// The number of true elements, as int64.
template <ArrayLike A, int K>
auto count(const A& a, const Axes<K>& axes, location where = location::current()) {
    static_assert(std::is_same_v<element_t<A>, bool>, "count: the elements are booleans");
    auto one = [](Exp<bool> x) { return cast<std::int64_t>(x); };
    auto op = [](Exp<std::int64_t> x, Exp<std::int64_t> y) { return x + y; };
    return detail::fold_axes("count", op, detail::literal_leaves(std::int64_t{0}, where),
                             detail::map_arrays("count", where, one, a), axes, {.commutative = true}, where);
}

/// Sum of the elements, in their own type; of booleans, the number of true ones, as count. 0 if there are none.
template <ArrayLike A, int K>
auto sum(const A& a, const Axes<K>& axes, location where = location::current()) {
    if constexpr (std::is_same_v<element_t<A>, bool>) {
        return count(a, axes, where);
    } else {
        auto op = [](const auto& x, const auto& y) { return x + y; };
        return detail::fold_axes("sum", op, detail::literal_leaves(element_t<A>{}, where), a, axes, {}, where);
    }
}

/// Product of the elements, in their own type. 1 if there are none.
template <ArrayLike A, int K>
auto product(const A& a, const Axes<K>& axes, location where = location::current()) {
    auto op = [](const auto& x, const auto& y) { return x * y; };
    return detail::fold_axes("product", op, detail::literal_leaves(element_t<A>(1), where), a, axes, {.commutative = true},
                             where);
}

/// The least element; NaN if any element is NaN. ShapeError without elements.
template <ArrayLike A, int K>
auto min(const A& a, const Axes<K>& axes, location where = location::current()) {
    using T = element_t<A>;
    static_assert(detail::is_scalar<T> && !std::is_same_v<T, bool>, "min: the elements are numbers");
    detail::check_not_empty("min", a.leaves().leaf[0], axes.axes, K, where);
    auto op = [](Exp<T> x, Exp<T> y) { return sinter::min(x, y); };
    return detail::fold_axes("min", op, detail::literal_leaves(detail::extreme<T>(true), where), a, axes,
                             detail::extreme_kind, where);
}

/// The greatest element; NaN if any element is NaN. ShapeError without elements.
template <ArrayLike A, int K>
auto max(const A& a, const Axes<K>& axes, location where = location::current()) {
    using T = element_t<A>;
    static_assert(detail::is_scalar<T> && !std::is_same_v<T, bool>, "max: the elements are numbers");
    detail::check_not_empty("max", a.leaves().leaf[0], axes.axes, K, where);
    auto op = [](Exp<T> x, Exp<T> y) { return sinter::max(x, y); };
    return detail::fold_axes("max", op, detail::literal_leaves(detail::extreme<T>(false), where), a, axes,
                             detail::extreme_kind, where);
}

/// True if any element is true.
template <ArrayLike A, int K>
auto any(const A& a, const Axes<K>& axes, location where = location::current()) {
    static_assert(std::is_same_v<element_t<A>, bool>, "any: the elements are booleans");
    auto op = [](Exp<bool> x, Exp<bool> y) { return x || y; };
    return detail::fold_axes("any", op, detail::literal_leaves(false, where), a, axes, {.commutative = true}, where);
}

/// Arithmetic mean: of floats and complex numbers in their own type, of integers in double. NaN if there are no elements.
template <ArrayLike A, int K>
auto mean(const A& a, const Axes<K>& axes, location where = location::current()) {
    using T = element_t<A>;
    if constexpr (std::is_integral_v<T>) {
        auto widen = [](Exp<T> x) { return cast<double>(x); };
        return mean(detail::map_arrays("mean", where, widen, a), axes, where);
    } else if constexpr (std::is_same_v<T, half>) {  // the sum of many halves soon exceeds their range
        auto widen = [](Exp<T> x) { return cast<float>(x); };
        auto narrow = [](Exp<float> x) { return cast<half>(x); };
        return detail::map_arrays("mean", where, narrow, mean(detail::map_arrays("mean", where, widen, a), axes, where));
    } else {
        Delayed<T, rank_v<A>> source(a);
        auto divide = [&](Exp<T> total) {
            Exp<std::int64_t> elements = extent(source, axes.axes[0]);
            for (int k = 1; k < K; ++k) elements = elements * extent(source, axes.axes[k]);
            using Real = typename decltype(abs(total))::element_type;
            return total / cast<Real>(elements);
        };
        return detail::map_arrays("mean", where, divide, sum(a, axes, where));
    }
}

/// Position of the least element (int64; over several axes in row-major order). If several are equal, the first of them; if
/// any element is NaN, the position of the first NaN. False is less than true. ShapeError without elements.
template <ArrayLike A, int K>
auto argmin(const A& a, const Axes<K>& axes, location where = location::current()) {
    auto better = [](const auto& x, const auto& y) { return x < y; };
    return detail::arg_extreme("argmin", a, axes, true, better, where);
}
/// Position of the greatest element, as argmin.
template <ArrayLike A, int K>
auto argmax(const A& a, const Axes<K>& axes, location where = location::current()) {
    auto better = [](const auto& x, const auto& y) { return x > y; };
    return detail::arg_extreme("argmax", a, axes, false, better, where);
}

#define SINTER_INNERMOST(name)                            \
    template <class A>                                    \
    auto name(detail::Operand<A> a) {                     \
        return sinter::name(*a.array, axis(-1), a.where); \
    }
SINTER_INNERMOST(sum)
SINTER_INNERMOST(product)
SINTER_INNERMOST(min)
SINTER_INNERMOST(max)
SINTER_INNERMOST(any)
SINTER_INNERMOST(count)
SINTER_INNERMOST(mean)
SINTER_INNERMOST(argmin)
SINTER_INNERMOST(argmax)
#undef SINTER_INNERMOST

#define SINTER_RANGE_MISTAKE(name) \
    inline Delayed<float, 0> name(detail::RangeMistake) { return {}; }
#define SINTER_MISTAKES(name)                                             \
    SINTER_RANGE_MISTAKE(name)                                            \
    template <ArrayLike A>                                                \
    detail::InnermostReduced<A> name(const A&, detail::AxisMistake axis); \
    inline Delayed<float, 0> name(detail::RangeMistake, detail::AxisMistake) { return {}; }
SINTER_MISTAKES(sum)
SINTER_MISTAKES(product)
SINTER_MISTAKES(any)
SINTER_MISTAKES(count)
SINTER_MISTAKES(mean)
SINTER_MISTAKES(argmin)
SINTER_MISTAKES(argmax)
SINTER_RANGE_MISTAKE(min)  // min(a, 0) is the smaller of each element and 0
SINTER_RANGE_MISTAKE(max)
#undef SINTER_MISTAKES
#undef SINTER_RANGE_MISTAKE

namespace detail {

/// True if candidate x at index i wins over y at index j: it is better, or a NaN against a number, or equal and earlier.
/// This is a total order, so that the fold is commutative.
template <class T, class Better>
Exp<bool> wins(Exp<T> x, Exp<std::int64_t> i, Exp<T> y, Exp<std::int64_t> j, Better better) {
    Exp<bool> is_better = better(x, y), is_equal = x == y;
    if constexpr (!std::is_integral_v<T>) {
        Exp<bool> nan_x = x != x, nan_y = y != y;
        is_better = is_better || (nan_x && !nan_y);
        is_equal = is_equal || (nan_x && nan_y);
    }
    return is_better || (is_equal && i < j);
}

/// Elements with their positions among the reduced axes.
template <ArrayLike A, int K>
auto with_position(const A& a, const Axes<K>& axes, location where) {
    Delayed<element_t<A>, rank_v<A>> source(a);
    auto pair = [&](const auto&... arguments) {
        std::tuple all(arguments...);
        constexpr int rank = rank_v<A>;
        auto at = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<Exp<std::int64_t>, rank>{std::get<I>(all)...};
        }(std::make_index_sequence<rank>{});
        Exp<std::int64_t> position = 0;
        for (int k = 0; k < rank; ++k) {
            bool reduced = false;
            for (std::int64_t axis : axes.axes) reduced = reduced || axis == k || axis + rank == k;
            if constexpr (K == 1) {
                if (reduced) position = at[static_cast<std::size_t>(k)];
            } else {
                if (reduced) position = position * extent(source, k) + at[static_cast<std::size_t>(k)];
            }
        }
        return std::tuple(std::get<rank>(all), position);
    };
    return map_indexed_arrays(std::make_index_sequence<rank_v<A>>{}, where, pair, a);
}

template <ArrayLike A, int K, class Better>
auto arg_extreme(const char* what, const A& a, const Axes<K>& axes, bool smallest, Better better, location where) {
    using T = element_t<A>;
    static_assert(is_scalar<T>, "argmin and argmax: the elements are numbers or booleans");
    if constexpr (std::is_same_v<T, bool>) {
        auto number = [](Exp<bool> x) { return cast<std::uint8_t>(x); };
        return arg_extreme(what, map_arrays(what, where, number, a), axes, smallest, better, where);
    } else {
        using Candidate = std::tuple<T, std::int64_t>;
        check_not_empty(what, a.leaves().leaf[0], axes.axes, K, where);
        auto op = [&](Exp<Candidate> p, Exp<Candidate> q) {
            auto [x, i] = p;
            auto [y, j] = q;
            return select(wins(x, i, y, j, better), p, q);
        };
        auto none = literal_leaves(Candidate(extreme<T>(smallest), extreme<std::int64_t>(true)), where);
        return array_component<1>(fold_axes(what, op, none, with_position(a, axes, where), axes, extreme_kind, where));
    }
}

}  // namespace detail
}  // namespace sinter
