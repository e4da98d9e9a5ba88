// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Concatenates, splits and rotates arrays.
#pragma once

#include <sinter/combinators/fold.hpp>
#include <sinter/combinators/view.hpp>

namespace sinter {

namespace detail {

/// Padded parts of an array of T, leaf by leaf, and where the parts end.
template <class T, std::size_t Parts>
struct PaddedParts {
    LeafRef leaf[Parts * leaf_count<T>];  ///< part by part
    LeafRef bounds[Parts];

    /// pad(leaf number, parts of one leaf, bounds)
    template <class F>
    explicit PaddedParts(F pad) {
        for (std::size_t i = 0; i < leaf_count<T>; ++i) {
            LeafRef column[Parts];
            pad(i, column, bounds);
            for (std::size_t p = 0; p < Parts; ++p) leaf[p * leaf_count<T> + i] = std::move(column[p]);
        }
    }
};

template <int Rank, class T, std::size_t Parts>
constexpr auto joined_parameters() {
    ScalarList<Rank + Parts * leaf_count<T>> list;
    for (int k = 0; k < Rank; ++k) list.push(Scalar::i64);
    for (std::size_t p = 0; p < Parts; ++p) list.template push_element<T>();
    return list;
}

/// One array made of the parts: at each index, the first part that reaches beyond it along the axis.
template <int Rank, class T, std::size_t Parts>
auto joined(const char* what, const PaddedParts<T, Parts>& parts, std::int64_t axis, location where) {
    static constexpr auto parameters = joined_parameters<Rank, T, Parts>();
    OpenTrace trace(open_function(what, where, parameters.scalars, parameters.count));
    auto part = [&](std::size_t p) {
        Exp<T> e;
        for (std::size_t i = 0; i < e.leaves; ++i)
            e.handles[i] = {trace.serial(), static_cast<std::uint32_t>(Rank + p * e.leaves + i)};
        return e;
    };
    Exp<std::int64_t> index, bound;
    index.handles[0] = {trace.serial(), static_cast<std::uint32_t>(axis < 0 ? axis + Rank : axis)};
    Exp<T> y = part(Parts - 1);
    for (std::size_t p = Parts - 1; p-- > 0;) {
        bound.handles[0] = read(parts.bounds[p], nullptr, 0);
        y = select(index < bound, part(p), y);
    }
    Leaves<T> out;
    end_map(trace.serial(), y.handles, y.leaves, parts.leaf, Parts * leaf_count<T>, true, out.leaf);
    return Delayed<T, Rank>(std::move(out));
}

template <class A, class... As>
auto concat_arrays(location where, std::int64_t axis, const A& a, const As&... as) {
    using T = element_t<A>;
    static_assert((std::is_same_v<element_t<As>, T> && ...), "concat: the arrays have one element type");
    static_assert(rank_v<A> > 0 && same_rank<A, As...>, "concat: the arrays have one rank, at least 1");
    constexpr std::size_t count = sizeof...(As) + 1;
    const LeafRef* leaves[] = {a.leaves().leaf, as.leaves().leaf...};
    PaddedParts<T, count> parts([&](std::size_t i, LeafRef* padded, LeafRef* bounds) {
        LeafRef column[count];
        for (std::size_t p = 0; p < count; ++p) column[p] = leaves[p][i];
        concat_parts(column, count, axis, padded, bounds, where);
    });
    return joined<rank_v<A>>("concat", parts, axis, where);
}

/// A number between arrays of rank 1 becomes an array of one element.
template <class V>
concept JoinedScalar = is_literal<V> || is_exp<V> || (ArrayLike<V> && []() {
                           if constexpr (ArrayLike<V>)
                               return rank_v<V> == 0;
                           else
                               return false;
                       }());
template <class V>
concept Joinable = ArrayLike<V> || JoinedScalar<V>;

/// The element type of the first array that has a rank.
template <class V, class... Vs>
auto joined_element() {
    if constexpr (JoinedScalar<V>)
        return joined_element<Vs...>();
    else
        return std::type_identity<element_t<V>>{};
}

template <class T, class V>
auto joined_part(const V& v, location where) {
    if constexpr (JoinedScalar<V>)
        return fill(shape(1), Delayed<T, 0>(scalar_leaves<T>(v, "concat", where)), where);
    else
        return v;
}

template <class... V>
auto concat_mixed(location where, std::int64_t axis, const V&... v) {
    using T = typename decltype(joined_element<V...>())::type;
    return concat_arrays(where, axis, joined_part<T>(v, where)...);
}

template <class V>
concept AxisLike = std::is_integral_v<V> || std::is_same_v<V, Axes<1>>;
/// True if there are arrays to be joined with the first one, and no single elements but the last of Rest.
template <class... Rest>
constexpr bool joins_arrays() {
    return sizeof...(Rest) > 1 && (std::size_t{0} + ... + std::size_t{JoinedScalar<Rest>}) == 1;
}
inline std::int64_t axis_number(const Axes<1>& axis) { return axis.axes[0]; }
template <class V>
    requires std::is_integral_v<V>
std::int64_t axis_number(V axis) {
    return static_cast<std::int64_t>(axis);
}

template <class... V>
using LastOf = std::tuple_element_t<sizeof...(V) - 1, std::tuple<V...>>;
/// Of all but the last, which is the axis.
template <class... V>
auto concat_along(location where, const V&... v) {
    auto all = std::tie(v...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return concat_mixed(where, axis_number(std::get<sizeof...(I)>(all)), std::get<I>(all)...);
    }(std::make_index_sequence<sizeof...(V) - 1>{});
}

template <class A>
auto rotated(const A& a, const SizeArgument& distance, std::int64_t axis, location where) {
    using T = element_t<A>;
    static_assert(rank_v<A> > 0, "rotate needs an array of rank 1 at least");
    PaddedParts<T, 2> parts([&](std::size_t i, LeafRef* padded, LeafRef* bounds) {
        rotation_parts(a.leaves().leaf[i], distance, axis, padded, bounds, where);
    });
    return joined<rank_v<A>>("rotate", parts, axis, where);
}

}  // namespace detail

/// Arrays of one element type, one after another along an axis (default: the outermost): concat(a, b), concat(a, b, c, 1).
/// ShapeError if they differ in another axis.
template <class A, ArrayLike... As>
auto concat(detail::Operand<A> a, const As&... as) {
    if constexpr ((detail::JoinedScalar<A> && ... && detail::JoinedScalar<As>))
        return detail::concat_arrays(a.where, 0, *a.array, as...);
    else
        return detail::concat_mixed(a.where, 0, *a.array, as...);
}
template <class A, class... Rest>
    requires(sizeof...(Rest) > 0 && detail::AxisLike<detail::LastOf<Rest...>>)
auto concat(detail::Operand<A> a, const Rest&... rest) {
    static_assert(!std::is_integral_v<detail::LastOf<Rest...>> || detail::joins_arrays<Rest...>(),
                  "concat: is the integer at the end an axis or an element? Write concat(x, 3, axis(0)) to append an "
                  "element, and axis(k) for an axis");
    return detail::concat_along(a.where, *a.array, rest...);
}

/// Arrays of rank 1 and single elements one after another: concat(0.f, x, y, 3.f). The elements are literals, Exps or arrays
/// of rank 0, converted to the type of the arrays. An integer at the end would be an axis: concat(x, 3, axis(0)) appends
/// one.
template <class A, class... Rest>
    requires(!(ArrayLike<Rest> && ...) && (detail::Joinable<Rest> && ...) && sizeof...(Rest) > 0 &&
             !detail::AxisLike<detail::LastOf<Rest...>>)
auto concat(detail::Operand<A> a, const Rest&... rest) {
    return detail::concat_mixed(a.where, 0, *a.array, rest...);
}
template <detail::JoinedScalar V, class A, class... Rest>
    requires((detail::Joinable<Rest> && ...) && !ArrayLike<V>)
auto concat(const V& first, detail::Operand<A> a, const Rest&... rest) {
    return detail::concat_mixed(a.where, 0, first, *a.array, rest...);
}
template <detail::JoinedScalar V, class A, class... Rest>
    requires(sizeof...(Rest) > 0 && std::is_same_v<detail::LastOf<Rest...>, Axes<1>> && !ArrayLike<V>)
auto concat(const V& first, detail::Operand<A> a, const Rest&... rest) {
    return detail::concat_along(a.where, first, *a.array, rest...);
}

/// Arrays of one shape as the slices of one array, along a new outermost axis: stack(x, y) has the rows x and y; arrays of
/// rank 0 become its elements. ShapeError if the shapes differ.
template <class A, ArrayLike... As>
auto stack(detail::Operand<A> a, const As&... as) {
    return detail::concat_arrays(a.where, 0, replicate(1, *a.array, a.where), replicate(1, as, a.where)...);
}

/// A std::tuple of the first `at` elements along an axis (default: the outermost) and the remaining ones. ShapeError if
/// there are fewer than `at`.
template <ArrayLike A, detail::SizeLike N>
auto split(const A& a, const N& at, Axes<1> axis = {{0}}, location where = location::current()) {
    return std::tuple(take(a, at, axis, where), drop(a, at, axis, where));
}
template <ArrayLike A, detail::SizeLike N>
auto split(const A& a, const N& at, std::int64_t axis, location where = location::current()) {
    return sinter::split(a, at, Axes<1>{{axis}}, where);
}

/// Moves elements k places towards the start of an axis (default: the innermost); those at the start go to its end:
/// result[i] = a[(i + k) mod n]. k is any integer, or inside compile() an Exp.
template <ArrayLike A, detail::SizeLike K>
auto rotate(const A& a, const K& k, Axes<1> axis, location where = location::current()) {
    return detail::rotated(a, detail::size_argument(k), axis.axes[0], where);
}
template <ArrayLike A, detail::SizeLike K>
auto rotate(const A& a, const K& k, std::int64_t axis = -1, location where = location::current()) {
    return detail::rotated(a, detail::size_argument(k), axis, where);
}

}  // namespace sinter
