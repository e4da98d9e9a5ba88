// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Linear algebra on large matrices by LAPACK, as foreign functions. Needs the component libsinter-lapack.so (CMake:
/// sinter::lapack). Not part of sinter.hpp; for small matrices, derivatives and other targets see linalg.hpp.
///
/// Elements are float or double; all arguments have one type. Matrices are copied once on the way in. A matrix of the wrong
/// shape is a ShapeError; a singular one, one that is not positive definite, or one for which an iteration does not converge
/// is a DomainError.
#pragma once

#include <sinter/combinators/foreign.hpp>

#include <complex>
#include <concepts>
#include <tuple>

namespace sinter::lapack {

namespace detail {

template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

template <class T>
using Matrix = Array<T, 2>;
template <class T>
using Vector = Array<T, 1>;

template <class T>
SINTER_API Matrix<T> solve(const Matrix<T>& a, const Matrix<T>& b, location where);
template <class T>
SINTER_API Vector<T> solve(const Matrix<T>& a, const Vector<T>& b, location where);
template <class T>
SINTER_API Matrix<T> cholesky(const Matrix<T>& a, location where);
template <class T>
SINTER_API std::tuple<Matrix<T>, Matrix<T>, Vector<std::int64_t>> lu(const Matrix<T>& a, location where);
template <class T>
SINTER_API std::tuple<Matrix<T>, Matrix<T>> qr(const Matrix<T>& a, location where);
template <class T>
SINTER_API std::tuple<Vector<T>, Matrix<T>> eigh(const Matrix<T>& a, location where);
template <class T>
SINTER_API std::tuple<Vector<std::complex<T>>, Matrix<std::complex<T>>> eig(const Matrix<T>& a, location where);
template <class T>
SINTER_API std::tuple<Matrix<T>, Vector<T>, Matrix<T>> svd(const Matrix<T>& a, location where);

}  // namespace detail

/// x with a x = b, for a square matrix a; b is a vector or a matrix of columns. Gaussian elimination with partial pivoting
/// (xGETRF).
template <class A, class B>
    requires(rank_v<A> == 2 && (rank_v<B> == 1 || rank_v<B> == 2) && detail::Real<element_t<A>>)
auto solve(sinter::detail::Operand<A> a, sinter::detail::Operand<B> b) {
    using T = element_t<A>;
    static_assert(std::is_same_v<element_t<B>, T>, "lapack::solve: both arrays have one element type");
    auto call = [where = a.where](const Array<T, 2>& m, const Array<T, rank_v<B>>& right) {
        return detail::solve<T>(m, right, where);
    };
    return foreign("lapack::solve", call, a, b);
}

#define SINTER_LAPACK(name)                                                                        \
    template <class A>                                                                             \
        requires(rank_v<A> == 2 && detail::Real<element_t<A>>)                                     \
    auto name(sinter::detail::Operand<A> a) {                                                      \
        using T = element_t<A>;                                                                    \
        auto call = [where = a.where](const Array<T, 2>& m) { return detail::name<T>(m, where); }; \
        return foreign("lapack::" #name, call, a);                                                 \
    }

/// L with L transpose(L) = a, for a symmetric positive definite matrix, of which the lower half is read (xPOTRF).
SINTER_LAPACK(cholesky)
/// A std::tuple of L, U and the rows of a in the order in which L U has them, for a square matrix (xGETRF). For a singular
/// matrix, U has zeros on its diagonal.
SINTER_LAPACK(lu)
/// A std::tuple of Q, m x n, and R, n x n, for m >= n, by Householder reflections (xGEQRF, xORGQR).
SINTER_LAPACK(qr)
/// A std::tuple of the eigenvalues of a symmetric matrix, ascending, and its eigenvectors, as columns (xSYEVD). Reads the
/// lower half.
SINTER_LAPACK(eigh)
/// A std::tuple of the eigenvalues of any square matrix, in no particular order, and eigenvectors of length 1, as columns;
/// both are complex (xGEEV).
SINTER_LAPACK(eig)
/// A std::tuple of U, m x n, the singular values, descending, and V, n x n, for m >= n (xGESDD).
SINTER_LAPACK(svd)
#undef SINTER_LAPACK

}  // namespace sinter::lapack
