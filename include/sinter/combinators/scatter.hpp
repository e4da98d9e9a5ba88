// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writing at computed positions. Indices are integers, or tuples of one integer per axis of dest; indices and values have
/// the same shape (ShapeError). An index outside dest is an IndexError, with one exception: an index of -1, in all
/// components if it is a tuple, drops its element. The result has dest's shape, and dest's elements where nothing is
/// written.
#pragma once

#include <sinter/combinators/fold.hpp>
#include <sinter/combinators/gather.hpp>

namespace sinter {

/// What happens to an element whose index is outside the destination.
enum class Outside : std::uint8_t {
    error,  ///< IndexError, except that an index of -1 drops its element
    drop,   ///< the element is dropped
    clamp,  ///< it goes to the nearest place inside, along each axis
};

namespace detail {

template <class D, class I>
constexpr void check_index_type() {
    static_assert(is_index<element_t<I>, rank_v<D>>(),
                  "scatter: an index is an integer for a destination of rank 1, else a tuple of one integer per axis of it");
}

/// Indices as arrays of int64, one per axis.
template <class I>
auto wide_indices(const char* what, const I& indices, location where) {
    using Index = element_t<I>;
    if constexpr (is_wide_index<Index>()) {
        return Delayed<Index, rank_v<I>>(indices);
    } else {
        auto wide = [](Exp<Index> index) { return wide_index(index); };
        return map_arrays(what, where, wide, indices);
    }
}

/// The index inside the destination, or -1 in all components where it is outside and dropped. The extents are those of
/// `dest`.
template <class D, class W>
Exp<W> inside_index(const D& dest, Exp<W> index, Outside outside) {
    Exp<bool> is_inside = true;
    Exp<W> result;
    for (int k = 0; k < rank_v<D>; ++k) {
        Exp<std::int64_t> part, n = extent(dest, k);
        part.handles[0] = index.handles[k];
        is_inside = is_inside && part >= 0 && part < n;
        result.handles[k] = max(min(part, n - 1), std::int64_t{0}).handles[0];
    }
    if (outside == Outside::clamp) return result;
    for (int k = 0; k < rank_v<D>; ++k) {
        Exp<std::int64_t> part;
        part.handles[0] = index.handles[k];
        result.handles[k] = select(is_inside, part, std::int64_t{-1}).handles[0];
    }
    return result;
}

/// Indices that are either inside or dropped.
template <class D, class I>
auto inside_indices(const char* what, const D& dest, const I& indices, Outside outside, location where) {
    check_index_type<D, I>();
    auto wide = wide_indices(what, indices, where);
    if (outside == Outside::error) return wide;
    const Delayed<element_t<D>, rank_v<D>> source(dest);
    using W = element_t<decltype(wide)>;
    auto move = [&](Exp<W> index) { return inside_index(source, index, outside); };
    return decltype(wide)(map_arrays(what, where, move, wide));
}

/// Whether a component of U that is a floating-point number would become one of T that is an integer.
template <class U, class T>
constexpr bool truncates() {
    if constexpr (is_scalar<U> && is_scalar<T>) {
        return std::is_integral_v<T> && !std::is_integral_v<U>;
    } else if constexpr (!is_scalar<U> && !is_scalar<T>) {
        if constexpr (component_count<U> == component_count<T>)
            return []<std::size_t... I>(std::index_sequence<I...>) {
                return (truncates<component_t<I, U>, component_t<I, T>>() || ...);
            }(component_indices<T>{});
        else
            return false;
    } else {
        return false;
    }
}

/// Values converted to the destination's type.
template <class T, class V>
auto converted(const char* what, const V& values, location where) {
    static_assert(!truncates<element_t<V>, T>(),
                  "scatter, update: the values are floating-point numbers and the array's elements are integers: write "
                  "cast<std::int64_t>(values) to drop the fractions, or cast<double>(a) for an array that keeps them");
    if constexpr (std::is_same_v<element_t<V>, T>)
        return Delayed<T, rank_v<V>>(values);
    else
        return lift(what, where, [](const auto& x) { return convert<T>(x); }, values);
}

template <class D, class I, class V>
constexpr void check_scatter() {
    check_index_type<D, I>();
    static_assert(rank_v<I> == rank_v<V>, "scatter: indices and values have one shape");
}

/// `op` combines a value with what is there; without one, values replace what is there.
template <class D, class I, class V, class... Op>
auto scatter_arrays(const char* what, location where, const D& dest, const I& indices, const V& values, Op&... op) {
    using T = element_t<D>;
    check_scatter<D, I, V>();
    auto wide = wide_indices(what, indices, where);
    auto v = converted<T>(what, values, where);
    ScatterArguments arguments{dest.leaves().leaf, wide.leaves().leaf, v.leaves().leaf, leaf_count<T>, rank_v<D>};
    Leaves<T> out;
    if constexpr (sizeof...(Op) == 0) {
        scatter(what, arguments, out.leaf, where);
    } else {
        FunctionTrace<T, T> trace(what, where);
        auto y = convert<T>(trace.call(op...));
        end_scatter(trace.serial(), y.handles, arguments, out.leaf);
    }
    return Delayed<T, rank_v<D>>(std::move(out));
}

template <SizeLike N>
auto bin_shape(const N& bins) {
    return shape(bins);
}
template <int Rank>
auto bin_shape(const Shape<Rank>& bins) {
    return bins;
}

/// The array whose element at (i, j, ...) is f(i, j, ...), of the shape of `like`.
template <std::size_t... Axis, class F>
auto generate_like(std::index_sequence<Axis...>, const char* what, location where, const LeafRef& like, F& f) {
    FunctionTrace<IndexType<Axis>...> trace(what, where);
    auto y = trace.call(f);
    using T = typename decltype(y)::element_type;
    Leaves<T> out;
    end_generate_like(trace.serial(), y.handles, y.leaves, like, 0, out.leaf);
    return Delayed<T, static_cast<int>(sizeof...(Axis))>(std::move(out));
}

}  // namespace detail

/// dest with values[i] at indices[i]. If indices are not distinct, it is unspecified which value wins.
template <class D, class I, class V>
auto scatter(detail::Operand<D> dest, detail::Operand<I> indices, detail::Operand<V> values) {
    return detail::scatter_arrays("scatter", dest.where, *dest.array, *indices.array, *values.array);
}

/// dest with op(what is there, values[i]) at indices[i], for all i. op has to be associative and commutative; it is applied
/// in an order fixed by the shapes.
template <class Op, class D, class I, class V>
auto scatter(Op&& op, detail::Operand<D> dest, detail::Operand<I> indices, detail::Operand<V> values) {
    return detail::scatter_arrays("scatter", dest.where, *dest.array, *indices.array, *values.array, op);
}

/// The same, where `outside` says what happens to elements with indices outside dest: scatter(dest, indices, values,
/// Outside::drop).
template <class D, class I, class V>
auto scatter(detail::Operand<D> dest, detail::Operand<I> indices, detail::Operand<V> values, Outside outside) {
    auto inside = detail::inside_indices("scatter", *dest.array, *indices.array, outside, dest.where);
    return detail::scatter_arrays("scatter", dest.where, *dest.array, inside, *values.array);
}
template <class Op, class D, class I, class V>
auto scatter(Op&& op, detail::Operand<D> dest, detail::Operand<I> indices, detail::Operand<V> values, Outside outside) {
    auto inside = detail::inside_indices("scatter", *dest.array, *indices.array, outside, dest.where);
    return detail::scatter_arrays("scatter", dest.where, *dest.array, inside, *values.array, op);
}

/// dest with op(what is there, src[i, ...]) at f(i, ...): f maps an index of src to one of dest.
template <class Op, class D, class F, class A>
auto permute(Op&& op, detail::Operand<D> dest, F&& f, detail::Operand<A> src) {
    auto indices =
        detail::generate_like(std::make_index_sequence<rank_v<A>>{}, "permute", dest.where, src.array->leaves().leaf[0], f);
    return detail::scatter_arrays("permute", dest.where, *dest.array, indices, *src.array, op);
}

/// For each bin, init combined by op with all values whose index is that bin. `bins` is the number of bins (for indices that
/// are integers), or a shape. `outside` says what happens to values with other indices.
template <class Bins, class Op, class Init, class I, class V>
auto histogram(const Bins& bins, Op&& op, const Init& init, detail::Operand<I> indices, detail::Operand<V> values,
               Outside outside = Outside::error) {
    using T = element_t<V>;
    auto first = detail::scalar_leaves<T>(init, "histogram", indices.where);
    auto dest = fill(detail::bin_shape(bins), Delayed<T, 0>(std::move(first)), indices.where);
    auto inside = detail::inside_indices("histogram", dest, *indices.array, outside, indices.where);
    return detail::scatter_arrays("histogram", indices.where, dest, inside, *values.array, op);
}

}  // namespace sinter
