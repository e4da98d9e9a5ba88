// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shapes, axes and ranges as arguments of combinators.
#pragma once

#include <sinter/exp.hpp>

namespace sinter {

template <class T, int Rank>
class Delayed;

namespace detail {

/// A size: an integer, or inside compile() an Exp of integer type.
template <class V>
concept SizeLike = std::is_integral_v<V> || (is_exp<V> && std::is_integral_v<typename Reified<V>::type>);

template <SizeLike V>
SizeArgument size_argument(const V& value) {
    if constexpr (is_exp<V>)
        return {0, convert<std::int64_t>(value).handles[0]};
    else
        return {static_cast<std::int64_t>(value), {}};
}

}  // namespace detail

/// One extent per axis, outermost first. Made by shape(...).
template <int Rank>
struct Shape {
    detail::SizeArgument sizes[Rank == 0 ? 1 : Rank] = {};
};

/// shape(rows, columns): integers, or inside compile() Exps of integer type.
template <detail::SizeLike... V>
Shape<static_cast<int>(sizeof...(V))> shape(const V&... extent) {
    return {{detail::size_argument(extent)...}};
}

/// The shape of a manifest array, as a.shape() returns it.
template <std::size_t Rank>
Shape<static_cast<int>(Rank)> shape(const std::array<std::int64_t, Rank>& extents) {
    Shape<static_cast<int>(Rank)> result;
    for (std::size_t k = 0; k < Rank; ++k) result.sizes[k].literal = extents[k];
    return result;
}

/// Axes, counted from the outermost; negative ones are counted from the innermost (-1). Made by axis and axes.
template <int Count>
struct Axes {
    std::int64_t axes[Count == 0 ? 1 : Count] = {};
};

inline Axes<1> axis(std::int64_t k) { return {{k}}; }
template <class... K>
    requires(std::is_integral_v<K> && ...)
Axes<static_cast<int>(sizeof...(K))> axes(K... k) {
    return {{static_cast<std::int64_t>(k)...}};
}

/// The elements low, low + step, ... before high along an axis (step < 0: downwards, after high).
struct Range {
    detail::SizeArgument low, high;
    std::int64_t step;
};

template <detail::SizeLike L, detail::SizeLike H>
Range range(const L& low, const H& high, std::int64_t step = 1) {
    return {detail::size_argument(low), detail::size_argument(high), step};
}
template <detail::SizeLike L, detail::SizeLike H, class T>
Range range(const L&, const H&, Exp<T>) {
    static_assert(detail::never<T>,
                  "range: a step is a number of C++, not an Exp: for steps that the program computes, read "
                  "generate(shape(n), [=](auto i) { return a(low + i * step); }), or write with scatter");
    return {};
}

}  // namespace sinter
