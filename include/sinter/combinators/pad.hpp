// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Adds elements around arrays, as NumPy's pad does.
#pragma once

#include <sinter/combinators/boundary.hpp>
#include <sinter/combinators/gather.hpp>
#include <sinter/combinators/scatter.hpp>

namespace sinter {

/// How many elements to add along an axis: integers, or inside compile() Exps of integer type.
struct Width {
    detail::SizeArgument before, after;

    template <detail::SizeLike Before, detail::SizeLike After>
    Width(const Before& elements_before, const After& elements_after)
        : before(detail::size_argument(elements_before)), after(detail::size_argument(elements_after)) {}
};

namespace detail {

/// The widths of all axes, as detail::pad takes them.
template <std::size_t N>
struct Widths {
    SizeArgument pairs[N][2];

    explicit Widths(const Width (&widths)[N]) {
        for (std::size_t k = 0; k < N; ++k) pairs[k][0] = widths[k].before, pairs[k][1] = widths[k].after;
    }
    template <class Before, class After>
    explicit Widths(const std::array<std::pair<Before, After>, N>& widths) {
        for (std::size_t k = 0; k < N; ++k)
            pairs[k][0] = size_argument(widths[k].first), pairs[k][1] = size_argument(widths[k].second);
    }
};

template <class A, std::size_t N, class V>
auto padded_with(const A& a, const Widths<N>& widths, const V& value, location where) {
    auto fill = scalar_leaves<element_t<A>>(value, "pad", where);
    Leaves<element_t<A>> leaves;
    for (std::size_t i = 0; i < leaf_count<element_t<A>>; ++i)
        leaves.leaf[i] = pad(a.leaves().leaf[i], fill.leaf[i], widths.pairs, where);
    return Delayed<element_t<A>, rank_v<A>>(std::move(leaves));
}

/// Index i of an axis of n elements that is continued beyond its ends.
inline Exp<std::int64_t> continued(boundary::Clamp, Exp<std::int64_t> i, Exp<std::int64_t> n) {
    return max(min(i, n - 1), Exp<std::int64_t>(0));
}
inline Exp<std::int64_t> continued(boundary::Wrap, Exp<std::int64_t> i, Exp<std::int64_t> n) {
    return record_op<Op::wrap>(i, n);
}
inline Exp<std::int64_t> continued(boundary::Symmetric, Exp<std::int64_t> i, Exp<std::int64_t> n) {
    return record_op<Op::symmetric>(i, n);
}
inline Exp<std::int64_t> continued(boundary::Reflect, Exp<std::int64_t> i, Exp<std::int64_t> n) {
    return record_op<Op::reflect>(i, n);
}

inline Exp<std::int64_t> size_number(const SizeArgument& size) {
    if (size.scalar.trace == 0) return size.literal;
    Exp<std::int64_t> number;
    number.handles[0] = size.scalar;
    return number;
}

/// Reads a at the index that each index of the padded array continues to. A padded array of another kind gives the shape.
template <std::size_t... Axis, class B, class A>
auto continued_by(std::index_sequence<Axis...> axes, const A& a, const Widths<sizeof...(Axis)>& widths, const B& border,
                  location where) {
    auto inside = [](const auto&...) { return Exp<bool>(true); };
    auto like = padded_with(generate_like(axes, "pad", where, a.leaves().leaf[0], inside), widths, false, where);
    auto source = [&](auto... index) {
        std::tuple all(index...);
        auto along = [&](std::size_t k, Exp<std::int64_t> i) {
            return continued(border, i - size_number(widths.pairs[k][0]), sinter::extent(a, static_cast<std::int64_t>(k)));
        };
        if constexpr (sizeof...(Axis) == 1)
            return along(0, std::get<0>(all));
        else
            return std::tuple(along(Axis, std::get<Axis>(all))...);
    };
    return gather_arrays("pad", where, map_indexed_arrays(axes, where, source, like), a);
}

template <class A, std::size_t N, class V>
auto padded(const A& a, const Widths<N>& widths, const V& value, location where) {
    static_assert(N == rank_v<A>, "pad: one pair of widths an axis");
    if constexpr (is_boundary<V>)
        return continued_by(std::make_index_sequence<N>{}, a, widths, value, where);
    else
        return padded_with(a, widths, value, where);
}
template <class A, std::size_t N, class V>
auto padded(const A& a, const Widths<N>& widths, const boundary::Constant<V>& constant, location where) {
    return detail::padded(a, widths, constant.value, where);
}

}  // namespace detail

/// a with more elements around it: pad(a, {{1, 1}, {0, 2}}, 0.f) adds a row at each end and two columns behind. There is one
/// pair per axis, and none is negative (ShapeError). `with` says what is added: a value, which is a literal, an Exp of the
/// enclosing program or an array of rank 0; or a boundary (boundary.hpp): pad(a, {{2, 2}}, boundary::reflect). An axis
/// without elements can be continued by a value only (IndexError).
template <ArrayLike A, std::size_t N, class V>
auto pad(const A& a, const Width (&widths)[N], const V& with, location where = location::current()) {
    return detail::padded(a, detail::Widths<N>(widths), with, where);
}
/// The same with a std::array of pairs.
template <ArrayLike A, detail::SizeLike Before, detail::SizeLike After, std::size_t N, class V>
auto pad(const A& a, const std::array<std::pair<Before, After>, N>& widths, const V& with,
         location where = location::current()) {
    return detail::padded(a, detail::Widths<N>(widths), with, where);
}

}  // namespace sinter
