// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Factorisations of dense matrices. A step is one pass over the matrix, which fusion turns into one kernel. They are meant
/// for matrices that stay in the caches, and for many small ones under vmap.
#pragma once

#include <sinter/linalg/products.hpp>

namespace sinter {

namespace detail {

template <class T>
concept Real = std::is_same_v<T, float> || std::is_same_v<T, double>;

using Index0 = Exp<std::int64_t>;

/// The array of the matrix's shape with elements f(i, j).
template <class T, class F>
Delayed<T, 2> same_matrix(const char* what, const Delayed<T, 2>& like, location where, F f) {
    return generate_like(std::make_index_sequence<2>{}, what, where, like.leaves().leaf[0], f);
}
template <class T, class F>
Delayed<T> same_vector(const char* what, const Delayed<T>& like, location where, F f) {
    return generate_like(std::make_index_sequence<1>{}, what, where, like.leaves().leaf[0], f);
}

/// f(j) for each column.
template <class T, class F>
auto each_column(const char* what, const Delayed<T, 2>& like, location where, F f) {
    FunctionTrace<std::int64_t> trace(what, where);
    auto y = trace.call(f);
    using U = typename decltype(y)::element_type;
    Leaves<U> out;
    end_generate_like(trace.serial(), y.handles, y.leaves, like.leaves().leaf[0], 1, out.leaf);
    return Delayed<U>(std::move(out));
}

/// The extent of an axis, of rank 0, for use as a loop's count.
template <class T, int Rank>
Delayed<std::int64_t, 0> axis_length(const Delayed<T, Rank>& a, std::int64_t axis, location where) {
    Leaves<std::int64_t> leaves;
    leaves.leaf[0] = extent_leaf(a.leaves().leaf[0], axis, where);
    return Delayed<std::int64_t, 0>(std::move(leaves));
}

/// ShapeError unless the matrix is square: at once if its extents are known, else where it is used, because it is as large
/// as its transpose.
template <class T>
Delayed<T, 2> require_square(const char* what, const Delayed<T, 2>& a, location where) {
    const LeafRef& leaf = a.leaves().leaf[0];
    check_square(what, leaf, where);
    if (extent_if_known(leaf, 0, where) >= 0 && extent_if_known(leaf, 1, where) >= 0) return a;
    const Delayed<T, 2> turned =
        sinter::transpose(same_matrix("square matrix", a, where, [](Index0, Index0) { return T(0); }), where);
    auto first = [](const Exp<T>& x, const Exp<T>&) { return x; };
    return map_arrays("square matrix", where, first, a, turned);
}

/// The packed factors (L below the diagonal, U elsewhere) and the rows of a that they belong to, in order.
template <class T>
auto lu_packed(const Delayed<T, 2>& a, location where) {
    auto step = [=](Index0 k, const Delayed<T, 2>& m, const Delayed<std::int64_t>& rows) {
        // The largest element of the column; if several are equal, the first.
        auto candidate = [&](Index0 i, const auto&) { return std::tuple(select(i >= k, sinter::abs(m(i, k)), T(-1)), i); };
        auto larger = [](const auto& x, const auto& y) {
            auto [p, i] = x;
            auto [q, j] = y;
            const Exp<bool> second = q > p;
            return std::tuple(select(second, q, p), select(second, j, i));
        };
        const auto found = fold(larger, std::tuple(T(-2), std::int64_t{0}), map_indexed(candidate, rows), axis(0), where);
        const auto pivot = array_component<1>(found);
        auto source = [&](Index0 i) { return select(i == k, pivot(), select(i == pivot(), k, i)); };
        auto element = [&](Index0 i, Index0 j) {
            const Exp<T> own = m(source(i), j), factor = m(source(i), k) / m(pivot(), k);
            return select(i > k, select(j == k, factor, select(j > k, own - factor * m(pivot(), j), own)), own);
        };
        auto row_of = [&](Index0 i) { return rows(source(i)); };
        return std::tuple(same_matrix("lu", m, where, element), same_vector("lu", rows, where, row_of));
    };
    const Delayed<std::int64_t> rows = each_column("lu", a, where, [](Index0 i) { return i; });
    return for_loop(axis_length(a, 1, where), step, a, rows);
}

}  // namespace detail

/// P a = L U with partial pivoting, for a square matrix: a std::tuple of L, with ones on its diagonal, U, and the rows of a
/// in the order in which L U has them. For a singular matrix, U has a zero on its diagonal, and infinities or NaNs may
/// follow.
template <class A>
    requires(rank_v<A> == 2 && detail::Real<element_t<A>>)
auto lu(detail::Operand<A> a) {
    using T = element_t<A>;
    auto [packed, rows] = detail::lu_packed<T>(detail::require_square<T>("lu", *a.array, a.where), a.where);
    const Delayed<T, 2> both = packed;
    auto low = [&](detail::Index0 i, detail::Index0 j) { return select(i > j, both(i, j), select(i == j, T(1), T(0))); };
    auto high = [&](detail::Index0 i, detail::Index0 j) { return select(i <= j, both(i, j), T(0)); };
    return std::tuple(detail::same_matrix("lu", both, a.where, low), detail::same_matrix("lu", both, a.where, high), rows);
}

/// The lower triangular L with L transpose(L) = a, for a symmetric positive definite matrix, of which the lower half is
/// read. NaNs if it is not positive definite.
template <class A>
    requires(rank_v<A> == 2 && detail::Real<element_t<A>>)
auto cholesky(detail::Operand<A> a) {
    using T = element_t<A>;
    const Delayed<T, 2> matrix = detail::require_square<T>("cholesky", *a.array, a.where);
    auto step = [=](detail::Index0 k, const Delayed<T, 2>& m) {
        auto element = [&](detail::Index0 i, detail::Index0 j) {
            const Exp<T> own = m(i, j), root = sinter::sqrt(m(k, k));
            const Exp<T> scaled = select(i == k, root, m(i, k) / root);
            return select(j == k && i >= k, scaled, select(j > k && i >= j, own - m(i, k) / m(k, k) * m(j, k), own));
        };
        return detail::same_matrix("cholesky", m, a.where, element);
    };
    const Delayed<T, 2> done = for_loop(detail::axis_length(matrix, 0, a.where), step, matrix, a.where);
    auto low = [&](detail::Index0 i, detail::Index0 j) { return select(i >= j, done(i, j), T(0)); };
    return detail::same_matrix("cholesky", done, a.where, low);
}

/// a = Q R by Householder reflections, for an m x n matrix, m >= n: a std::tuple of Q, m x m with orthonormal columns, and
/// R, m x n and upper triangular.
template <class A>
    requires(rank_v<A> == 2 && detail::Real<element_t<A>>)
auto qr(detail::Operand<A> a) {
    using T = element_t<A>;
    const Delayed<T, 2> matrix = *a.array;
    auto step = [=](detail::Index0 k, const Delayed<T, 2>& q, const Delayed<T, 2>& r) {
        auto plus = [](const auto& x, const auto& y) { return x + y; };
        // The reflection I - v v' / h maps column k of r, from row k on, to a multiple of the first unit vector.
        const auto below = map_indexed([=](auto i, auto x) { return select(i >= k, x, T(0)); }, slice(r, all, k));
        const auto length = map([](auto s) { return sinter::sqrt(s); },
                                fold(plus, T(0), map([](auto x) { return x * x; }, below), axis(0), a.where));
        auto reflected = [&](auto i, auto x) { return select(i == k, x + select(x < T(0), -length(), length()), x); };
        const Delayed<T> v = force(map_indexed(reflected, below), a.where);
        const auto h = fold(plus, T(0), map([](auto x) { return x * x * T(0.5); }, v), axis(0), a.where);
        auto divided = [&](auto x) { return select(h() == T(0), T(0), x / h()); };
        const Delayed<T> vr = map(divided, detail::einsum_arrays<T, 1>("i,ij->j", a.where, v, r));
        const Delayed<T> qv = map(divided, detail::einsum_arrays<T, 1>("ij,j->i", a.where, q, v));
        return std::tuple(q - outer(qv, v), r - outer(v, vr));
    };
    auto unit = [](detail::Index0 i, detail::Index0 j) { return select(i == j, T(1), T(0)); };
    const auto square = detail::einsum_arrays<T, 2>("ik,jk->ij", a.where, matrix, matrix);
    auto [q, r] =
        for_loop(detail::axis_length(matrix, 1, a.where), step, detail::same_matrix("qr", square, a.where, unit), matrix);
    const Delayed<T, 2> done = r;
    auto high = [&](detail::Index0 i, detail::Index0 j) { return select(i <= j, done(i, j), T(0)); };
    return std::tuple(q, detail::same_matrix("qr", done, a.where, high));
}

}  // namespace sinter
