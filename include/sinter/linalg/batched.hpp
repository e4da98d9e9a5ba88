// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Equations and factorisations of all matrices of an array of rank 3 or more, along its last two axes, as in NumPy. Small
/// matrices go side by side in the lanes of vectors.
#pragma once

#include <sinter/combinators/vmap.hpp>
#include <sinter/linalg/eigen.hpp>
#include <sinter/linalg/factor.hpp>
#include <sinter/linalg/solve.hpp>

namespace sinter {

namespace detail {

template <class A>
concept Matrices = rank_v<A> > 2 && Real<element_t<A>>;

/// f of the slices of arrays along their outermost axis, which it gets as operands of this place.
template <class F, class... A>
auto each_matrix(location where, F f, const A&... a) {
    auto at_place = [&](const auto&... slices) { return f(Operand(slices, where)...); };
    return vmap_arrays(where, at_place, a...);
}

}  // namespace detail

/// x with a x = b for every matrix of a; b has a vector for each, or a matrix of columns. ShapeError if there are not as
/// many.
template <class A, class B>
    requires(detail::Matrices<A> && (rank_v<B> == rank_v<A> || rank_v<B> + 1 == rank_v<A>))
auto solve(detail::Operand<A> a, detail::Operand<B> b) {
    return detail::each_matrix(a.where, [](auto m, auto right) { return solve(m, right); }, *a.array, *b.array);
}

/// x that minimises the length of a x - b, for every matrix of a, and as many vectors b.
template <class A, class B>
    requires(detail::Matrices<A> && rank_v<B> + 1 == rank_v<A>)
auto least_squares(detail::Operand<A> a, detail::Operand<B> b) {
    return detail::each_matrix(a.where, [](auto m, auto right) { return least_squares(m, right); }, *a.array, *b.array);
}

template <detail::Matrices A>
auto inverse(detail::Operand<A> a) {
    return detail::each_matrix(a.where, [](auto m) { return inverse(m); }, *a.array);
}

template <detail::Matrices A>
auto det(detail::Operand<A> a) {
    return detail::each_matrix(a.where, [](auto m) { return det(m); }, *a.array);
}

template <detail::Matrices A>
auto lu(detail::Operand<A> a) {
    return detail::each_matrix(a.where, [](auto m) { return lu(m); }, *a.array);
}

template <detail::Matrices A>
auto cholesky(detail::Operand<A> a) {
    return detail::each_matrix(a.where, [](auto m) { return cholesky(m); }, *a.array);
}

template <detail::Matrices A>
auto qr(detail::Operand<A> a) {
    return detail::each_matrix(a.where, [](auto m) { return qr(m); }, *a.array);
}

template <detail::Matrices A>
auto eigh(detail::Operand<A> a) {
    return detail::each_matrix(a.where, [](auto m) { return eigh(m); }, *a.array);
}

template <detail::Matrices A>
auto svd(detail::Operand<A> a) {
    return detail::each_matrix(a.where, [](auto m) { return svd(m); }, *a.array);
}

}  // namespace sinter
