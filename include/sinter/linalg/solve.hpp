// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Solutions of systems of equations, inverses, determinants.
#pragma once

#include <sinter/linalg/factor.hpp>

namespace sinter {

namespace detail {

/// Substitution, for all right-hand sides at once: forwards with L (ones on the diagonal), then backwards with U.
template <class T>
Delayed<T, 2> substitute(const char* what, const Delayed<T, 2>& packed, const Delayed<T, 2>& b, location where) {
    const auto n = axis_length(packed, 0, where);
    auto forwards = [=](Index0 k, const Delayed<T, 2>& y) {
        return same_matrix(what, y, where,
                           [&](Index0 i, Index0 j) { return select(i > k, y(i, j) - packed(i, k) * y(k, j), y(i, j)); });
    };
    auto backwards = [=](Index0 step, const Delayed<T, 2>& x) {
        const Index0 k = n() - 1 - step;
        return same_matrix(what, x, where, [&](Index0 i, Index0 j) {
            const Exp<T> here = x(k, j) / packed(k, k);
            return select(i == k, here, select(i < k, x(i, j) - packed(i, k) * here, x(i, j)));
        });
    };
    const Delayed<T, 2> y = for_loop(n, forwards, b, where);
    return for_loop(n, backwards, y, where);
}

template <class T>
Delayed<T, 2> solve_matrix(const char* what, const Delayed<T, 2>& a, const Delayed<T, 2>& b, location where) {
    auto [factors, order] = lu_packed<T>(require_square<T>(what, a, where), where);
    const Delayed<T, 2> packed = factors;
    const Delayed<std::int64_t> rows = order;
    const Delayed<T, 2> permuted = same_matrix(what, b, where, [&](Index0 i, Index0 j) { return b(rows(i), j); });
    return substitute(what, packed, permuted, where);
}

}  // namespace detail

/// x with a x = b, for a square matrix a; b is a vector or a matrix of columns. By Gaussian elimination with partial
/// pivoting; a singular matrix gives infinities or NaNs.
template <class A, class B>
    requires(rank_v<A> == 2 && (rank_v<B> == 1 || rank_v<B> == 2) && detail::Real<element_t<A>>)
auto solve(detail::Operand<A> a, detail::Operand<B> b) {
    using T = element_t<A>;
    static_assert(std::is_same_v<element_t<B>, T>, "solve: both arrays have one element type");
    const Delayed<T, 2> matrix = *a.array;
    if constexpr (rank_v<B> == 2) {
        return detail::solve_matrix<T>("solve", matrix, *b.array, a.where);
    } else {
        const Delayed<T, 2> column = transpose(replicate(1, *b.array, a.where), a.where);
        return slice(detail::solve_matrix<T>("solve", matrix, column, a.where), all, 0);
    }
}

/// The inverse of a square matrix. To solve equations, solve is faster and more accurate.
template <class A>
    requires(rank_v<A> == 2 && detail::Real<element_t<A>>)
auto inverse(detail::Operand<A> a) {
    using T = element_t<A>;
    const Delayed<T, 2> matrix = *a.array;
    auto unit = [](detail::Index0 i, detail::Index0 j) { return select(i == j, T(1), T(0)); };
    return detail::solve_matrix<T>("inverse", matrix, detail::same_matrix("inverse", matrix, a.where, unit), a.where);
}

/// The determinant, as an array of rank 0.
template <class A>
    requires(rank_v<A> == 2 && detail::Real<element_t<A>>)
auto det(detail::Operand<A> a) {
    using T = element_t<A>;
    auto [factors, order] = detail::lu_packed<T>(detail::require_square<T>("det", *a.array, a.where), a.where);
    const Delayed<std::int64_t> rows = order;
    // The sign of the permutation: one factor -1 for each pair in the wrong order.
    auto pairs = [&](detail::Index0 i) {
        auto count = [&](detail::Index0 j, Exp<T> sign) { return select(rows(j) > rows(i), -sign, sign); };
        return for_loop(i, count, T(1));
    };
    const auto signs = map_indexed([&](auto i, const auto&) { return pairs(i); }, rows);
    auto times = [](const auto& x, const auto& y) { return x * y; };
    return fold(times, T(1), map(times, detail::einsum_arrays<T, 1>("ii->i", a.where, factors), signs), axis(0), a.where);
}

/// x that minimises the length of a x - b, for an m x n matrix with m >= n and independent columns, by QR.
template <class A, class B>
    requires(rank_v<A> == 2 && rank_v<B> == 1 && detail::Real<element_t<A>>)
auto least_squares(detail::Operand<A> a, detail::Operand<B> b) {
    using T = element_t<A>;
    const Delayed<T, 2> matrix = *a.array;
    auto [q, r] = qr(a);
    const Delayed<T> right = detail::einsum_arrays<T, 1>("ij,i->j", a.where, q, *b.array);
    const Delayed<T, 2> triangle = r;
    // R has as many rows as a; only the first ones, as many as it has columns, matter.
    const Delayed<T> start =
        detail::each_column("least_squares", matrix, a.where, [&](detail::Index0 i) { return right(i); });
    const auto n = detail::axis_length(matrix, 1, a.where);
    auto backwards = [=](detail::Index0 step, const Delayed<T>& x) {
        const detail::Index0 k = n() - 1 - step;
        return detail::same_vector("least_squares", x, a.where, [&](detail::Index0 i) {
            const Exp<T> here = x(k) / triangle(k, k);
            return select(i == k, here, select(i < k, x(i) - triangle(i, k) * here, x(i)));
        });
    };
    return for_loop(n, backwards, start, a.where);
}

}  // namespace sinter
