// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// update: an array with some elements replaced. update(std::move(a), ...) gives a away: if nothing else refers to it, its
/// memory is written, otherwise it is copied first. An index outside the array is an IndexError.
#pragma once

#include <sinter/combinators/scatter.hpp>
#include <sinter/combinators/slice.hpp>

namespace sinter {

/// The place of one element, as update takes it. Made by index(i, j).
template <int Rank>
struct Index {
    detail::SizeArgument at[Rank];
};

/// Integers, or inside compile() Exps, one per axis.
template <detail::SizeLike... I>
    requires(sizeof...(I) > 0)
Index<static_cast<int>(sizeof...(I))> index(const I&... i) {
    return {{detail::size_argument(i)...}};
}

namespace detail {

/// A size as an expression of the function being traced.
inline Exp<std::int64_t> size_expression(const SizeArgument& size) {
    if (size.scalar.trace == 0) return size.literal;
    Exp<std::int64_t> e;
    e.handles[0] = size.scalar;
    return e;
}

/// The elements that replace those of the target, which is a part of the array: an array of the target's shape, or one value
/// for all.
template <class T, int Rank, class V>
auto replacement(const Delayed<T, Rank>& target, const V& value, location where) {
    if constexpr (operand_rank<V> > 0) {
        static_assert(operand_rank<V> == Rank, "update: the array has the rank of the slice it replaces");
        const LeafRef* shapes[] = {&target.leaves().leaf[0], &value.leaves().leaf[0]};
        check_same_shape("update", shapes, 2, where);
        return converted<T>("update", value, where);
    } else {
        Delayed<T, 0> scalar(scalar_leaves<T>(value, "update", where));
        auto same = [&](const auto&...) { return read_element<T, 0>(scalar.leaves()); };
        return generate_like(std::make_index_sequence<Rank>{}, "update", where, target.leaves().leaf[0], same);
    }
}

/// a with each element of `values` at position(index of the element...). `part`: an array of the shape that values must
/// have.
template <class A, class P, class V, class F>
auto replaced(A a, const P& part, const V& values, F position, location where) {
    using T = element_t<A>;
    auto indices = generate_like(std::make_index_sequence<rank_v<V>>{}, "update", where, part.leaves().leaf[0], position);
    ScatterArguments arguments{
        a.leaves().leaf, indices.leaves().leaf, values.leaves().leaf, leaf_count<T>, rank_v<A>, false};
    Leaves<T> out;
    scatter("update", arguments, out.leaf, where);
    return Delayed<T, rank_v<A>>(std::move(out));
}

/// Position `at(k)` for each axis k, as a scalar or a tuple.
template <int Rank, class F>
auto position_of(F at) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        if constexpr (Rank == 1)
            return at(0);
        else
            return std::tuple(at(K)...);
    }(std::make_index_sequence<Rank>{});
}

template <class A, class V, class... Spec>
auto update_slice(A a, location where, const V& value, const Spec&... spec) {
    using T = element_t<A>;
    constexpr int rank = rank_v<A>;
    static_assert(sizeof...(Spec) == rank, "update: one specification (all, a range or an index) an axis");
    static constexpr bool dropped[] = {SizeLike<Spec>...};
    constexpr int kept = ((SizeLike<Spec> ? 0 : 1) + ...);
    static_assert(kept > 0, "update: for a single element write update(a, index(i, j), value)");
    SliceArgument axes[] = {slice_argument(spec)...};
    auto target = view_leaves<kept>(a, [&](auto& leaf) {
        LeafRef part = slice(leaf, axes, rank, where);
        return kept == rank ? part : without_axes(part, dropped, where);
    });
    auto values = replacement<T, kept>(target, value, where);
    auto position = [&](const auto&... index) {
        const Exp<std::int64_t> inside[] = {index...};
        std::size_t next = 0;
        Exp<std::int64_t> at[rank];
        for (std::size_t k = 0; k < rank; ++k) {
            if (dropped[k])
                at[k] = size_expression(axes[k].low);
            else if (axes[k].all)
                at[k] = inside[next++];
            else
                at[k] = size_expression(axes[k].low) + inside[next++] * axes[k].step;
        }
        return position_of<rank>([&](std::size_t k) { return at[k]; });
    };
    return replaced(std::move(a), target, values, position, where);
}

template <class A>
concept Updatable = ArrayLike<std::remove_cvref_t<A>>;
template <class A>
auto owned(A&& a) {
    return std::remove_cvref_t<A>(std::forward<A>(a));
}

}  // namespace detail

/// a with `value` at one place: update(std::move(a), index(i, j), 1.f). The value is a literal, an Exp of the enclosing
/// program, or an array of rank 0.
template <detail::Updatable A, int Rank, class V>
auto update(A&& a, const Index<Rank>& index, const V& value, location where = location::current()) {
    using T = element_t<std::remove_cvref_t<A>>;
    static_assert(Rank == rank_v<std::remove_cvref_t<A>>, "update: one index per axis");
    auto values = fill(shape(1), Delayed<T, 0>(detail::scalar_leaves<T>(value, "update", where)), where);
    auto position = [&](const auto&) {
        return detail::position_of<Rank>([&](std::size_t k) { return detail::size_expression(index.at[k]); });
    };
    return detail::replaced(detail::owned(std::forward<A>(a)), values, values, position, where);
}

/// a with a slice of it replaced: update(std::move(a), all, range(0, 2), b). There is one specification per axis, as for
/// slice, or an index, for which b has no axis. b has the shape of the slice (ShapeError), or is one value for all of it.
template <detail::Updatable A, class S, class V>
    requires detail::is_slice_spec<S>
auto update(A&& a, const S& s, const V& value, location where = location::current()) {
    return detail::update_slice(detail::owned(std::forward<A>(a)), where, value, s);
}
template <detail::Updatable A, class S1, class S2, class V>
    requires(detail::is_slice_spec<S1> && detail::is_slice_spec<S2>)
auto update(A&& a, const S1& s1, const S2& s2, const V& value, location where = location::current()) {
    return detail::update_slice(detail::owned(std::forward<A>(a)), where, value, s1, s2);
}
template <detail::Updatable A, class S1, class S2, class S3, class V>
    requires(detail::is_slice_spec<S1> && detail::is_slice_spec<S2> && detail::is_slice_spec<S3>)
auto update(A&& a, const S1& s1, const S2& s2, const S3& s3, const V& value, location where = location::current()) {
    return detail::update_slice(detail::owned(std::forward<A>(a)), where, value, s1, s2, s3);
}
template <detail::Updatable A, class S1, class S2, class S3, class S4, class V>
    requires(detail::is_slice_spec<S1> && detail::is_slice_spec<S2> && detail::is_slice_spec<S3> &&
             detail::is_slice_spec<S4>)
auto update(A&& a, const S1& s1, const S2& s2, const S3& s3, const S4& s4, const V& value,
            location where = location::current()) {
    return detail::update_slice(detail::owned(std::forward<A>(a)), where, value, s1, s2, s3, s4);
}

}  // namespace sinter
