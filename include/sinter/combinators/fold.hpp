// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Folds: reductions of axes with an associative operator. The result is op(init, e0 op e1 op ...): init is combined exactly
/// once, and is the result if there is no element. Several axes are combined in row-major order. The axis defaults to the
/// innermost.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/control.hpp>
#include <sinter/detail/function.hpp>

namespace sinter {

namespace detail {

template <class T>
Leaves<T> literal_leaves(const T& value, location where) {
    Leaves<T> leaves;
    std::uint64_t bits[leaf_count<T>];
    detail::leaf_bits(value, bits);
    for (std::size_t i = 0; i < leaf_count<T>; ++i) leaves.leaf[i] = literal(scalars_of<T>.scalars[i], bits[i], where);
    return leaves;
}

/// Leaf arrays of rank 0 for a value of type T: a literal, an Exp of the enclosing program, a tuple of these, or an array of
/// rank 0.
template <class T, class V>
Leaves<T> scalar_leaves(const V& value, const char* what, location where) {
    if constexpr (ArrayLike<V>) {
        static_assert(rank_v<V> == 0, "the initial value has rank 0");
        if constexpr (std::is_same_v<element_t<V>, T>)
            return value.leaves();
        else
            return lift(what, where, [](const auto& x) { return convert<T>(x); }, value).leaves();
    } else if constexpr (is_exp<V>) {
        static_assert(std::is_same_v<typename V::element_type, T> || (is_scalar<T> && V::leaves == 1),
                      "the initial value has the element's type");
        Exp<T> e = convert<T>(value);
        Leaves<T> leaves;
        for (std::size_t i = 0; i < e.leaves; ++i) leaves.leaf[i] = scalar_leaf(e.handles[i], what, where);
        return leaves;
    } else if constexpr (is_scalar<T>) {
        static_assert(is_scalar<V>, "the initial value has the element's type");
        if constexpr (std::is_floating_point_v<V> && std::is_integral_v<T> && !std::is_same_v<T, bool>)
            return {{integer_literal(what, scalars_of<T>.scalars[0], static_cast<double>(value), where)}};
        else if constexpr (is_scalar<V>)
            return literal_leaves<T>(static_cast<T>(value), where);
    } else if constexpr (is_complex<T> && is_scalar<V>) {
        return literal_leaves<T>(T(static_cast<component_t<0, T>>(value)), where);
    } else {
        static_assert(value_components<V> == component_count<T>, "the initial value has the element's type");
        Leaves<T> leaves;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto put = [&](auto part, std::size_t offset) {
                for (auto& leaf : part.leaf) leaves.leaf[offset++] = std::move(leaf);
            };
            (put(detail::scalar_leaves<component_t<I, T>>(component<I>(value), what, where), leaf_offset<I, T>), ...);
        }(component_indices<T>{});
        return leaves;
    }
}

template <class Op, class T, class A, int K>
auto fold_axes(const char* what, Op&& op, const Leaves<T>& init, const A& a, const Axes<K>& axes, FoldKind kind,
               location where) {
    static_assert(std::is_same_v<element_t<A>, T>);
    static_assert(K > 0 && K <= rank_v<A>, "fold: the array does not have that many axes");
    FunctionTrace<T, T> trace(what, where);
    auto y = convert<T>(trace.call(op));
    Leaves<T> out;
    end_fold(trace.serial(), y.handles, init.leaf, a.leaves().leaf, leaf_count<T>, axes.axes, K, kind, out.leaf);
    return Delayed<T, rank_v<A> - K>(std::move(out));
}

template <class A>
Axes<rank_v<A>> every_axis() {
    Axes<rank_v<A>> axes;
    for (int k = 0; k < rank_v<A>; ++k) axes.axes[k] = k;
    return axes;
}

}  // namespace detail

/// Reduces the innermost axis. `op` has to be associative; init need not be neutral. It is a literal, an Exp of the
/// enclosing program, or an array of rank 0.
template <class Op, class Init, ArrayLike A>
auto fold(Op&& op, const Init& init, const A& a, location where = location::current()) {
    return fold(op, init, a, axis(-1), where);
}
/// Reduces these axes.
template <class Op, class Init, ArrayLike A, int K>
auto fold(Op&& op, const Init& init, const A& a, const Axes<K>& axes, location where = location::current()) {
    auto first = detail::scalar_leaves<element_t<A>>(init, "fold", where);
    return detail::fold_axes("fold", op, first, a, axes, {}, where);
}
/// Reduces all axes; without axes the result is op(init, a).
template <class Op, class Init, ArrayLike A>
auto fold_all(Op&& op, const Init& init, const A& a, location where = location::current()) {
    using T = element_t<A>;
    auto first = detail::scalar_leaves<T>(init, "fold_all", where);
    if constexpr (rank_v<A> == 0) {
        auto combine = [&](const auto& x, const auto& y) { return detail::convert<T>(detail::call(op, x, y)); };
        return detail::lift("fold_all", where, combine, Delayed<T, 0>(std::move(first)), a);
    } else {
        return detail::fold_axes("fold_all", op, first, a, detail::every_axis<A>(), {}, where);
    }
}

/// The same without an initial value. ShapeError where there is no element.
///
/// The operator is extended by a neutral element: (false, anything).
template <class Op, ArrayLike A, int K>
auto fold1(Op&& op, const A& a, const Axes<K>& axes, location where = location::current()) {
    using T = element_t<A>;
    using Maybe = std::tuple<bool, T>;
    detail::check_not_empty("fold1", a.leaves().leaf[0], axes.axes, K, where);
    auto lifted = [&](Exp<Maybe> x, Exp<Maybe> y) {
        auto [has_x, vx] = x;
        auto [has_y, vy] = y;
        auto both = cond(
            has_x && has_y, [&] { return detail::convert<T>(detail::call(op, vx, vy)); },
            [&] { return select(has_x, vx, vy); });
        return record<Maybe>(has_x || has_y, both);
    };
    auto some = [](Exp<T> x) { return record<Maybe>(true, x); };
    auto none = detail::literal_leaves<Maybe>(Maybe{}, where);
    const detail::FoldKind kind{.nonempty = true};
    return detail::array_component<1>(
        detail::fold_axes("fold1", lifted, none, detail::map_arrays("fold1", where, some, a), axes, kind, where));
}
template <class Op, ArrayLike A>
auto fold1(Op&& op, const A& a, location where = location::current()) {
    return sinter::fold1(op, a, axis(-1), where);
}

}  // namespace sinter
