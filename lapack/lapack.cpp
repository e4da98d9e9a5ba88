// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LAPACK's matrices are column-major, so a row-major matrix is its own transpose there. If a routine has a form for that,
// nothing is transposed.
#include <sinter/combinators/from.hpp>
#include <sinter/lapack.hpp>

#include "fortran.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace sinter::lapack {

namespace {

using detail::Matrix;
using detail::Vector;

struct Extents {
    int rows, columns;
};

/// The dimensions of a matrix, if LAPACK's integers can count them.
template <class T>
Extents extents_of(const char* name, const Matrix<T>& a, location where) {
    const auto shape = a.shape();
    for (std::int64_t extent : shape)
        if (extent > std::numeric_limits<int>::max())
            throw Limitation(fmt::format("{}: an extent of 2^31 or more is not supported", name), where);
    return {static_cast<int>(shape[0]), static_cast<int>(shape[1])};
}

template <class T>
int square_extent(const char* name, const Matrix<T>& a, location where) {
    const Extents e = extents_of(name, a, where);
    if (e.rows != e.columns)
        throw ShapeError(fmt::format("{}: the matrix has shape [{}, {}], and is not square", name, e.rows, e.columns),
                         where);
    return e.rows;
}

template <class T>
Extents tall_extents(const char* name, const Matrix<T>& a, location where) {
    const Extents e = extents_of(name, a, where);
    if (e.rows < e.columns)
        throw ShapeError(fmt::format("{}: the matrix has shape [{}, {}], with fewer rows than columns: transpose it", name,
                                     e.rows, e.columns),
                         where);
    return e;
}

/// If a routine calls an argument illegal, that is a defect of this file, or of LAPACK.
void check(const char* name, int info, location where) {
    if (info < 0) throw InternalError(fmt::format("{}: LAPACK refuses argument {}", name, -info), where);
}

std::size_t product(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

/// The transpose, computed in blocks that stay in the caches.
template <class T>
std::vector<T> transposed(const T* from, int rows, int columns) {
    constexpr int block = 32;
    std::vector<T> to(product(rows, columns));
    for (int i0 = 0; i0 < rows; i0 += block)
        for (int j0 = 0; j0 < columns; j0 += block)
            for (int i = i0; i < std::min(rows, i0 + block); ++i)
                for (int j = j0; j < std::min(columns, j0 + block); ++j)
                    to[product(j, rows) + static_cast<std::size_t>(i)] =
                        from[product(i, columns) + static_cast<std::size_t>(j)];
    return to;
}

template <class T>
std::vector<T> copy_of(const Matrix<T>& a) {
    const std::span<const T> all(a.data(), static_cast<std::size_t>(a.size()));
    return {all.begin(), all.end()};
}

template <class T>
Matrix<T> matrix(const std::vector<T>& values, int rows, int columns) {
    return from(values, shape(rows, columns));
}

/// A workspace of the size for which the routine asks when it is first called with -1.
template <class T, class Routine>
void with_workspace(Routine routine) {
    T size = 0;
    routine(&size, -1);
    std::vector<T> work(std::max<std::size_t>(1, static_cast<std::size_t>(size)));
    routine(work.data(), static_cast<int>(work.size()));
}

template <class T>
struct Factors {
    int n;
    std::vector<T> values;
    std::vector<int> pivots;
    int info = 0;
};

/// The factorisation of the matrix `values`, which is column-major.
template <class T>
Factors<T> factor(const char* name, int n, std::vector<T> values, location where) {
    Factors<T> factors{n, std::move(values), std::vector<int>(static_cast<std::size_t>(n))};
    if (n > 0) getrf(n, n, factors.values.data(), factors.pivots.data(), &factors.info);
    check(name, factors.info, where);
    return factors;
}

/// Replaces the columns of b by those of x. It is the transpose of a that has been factored.
template <class T>
void solve_columns(const Factors<T>& factors, T* b, int count, location where) {
    if (factors.info > 0)
        throw DomainError(fmt::format("lapack::solve: the matrix is singular: pivot {} is 0", factors.info - 1), where);
    int info = 0;
    if (factors.n > 0 && count > 0) getrs('T', factors.n, count, factors.values.data(), factors.pivots.data(), b, &info);
    check("lapack::solve", info, where);
}

void check_right_side(std::int64_t rows, int n, location where) {
    if (rows != n)
        throw ShapeError(fmt::format("lapack::solve: the matrix has {} rows, the right-hand side {}", n, rows), where);
}

}  // namespace

namespace detail {

template <class T>
Matrix<T> solve(const Matrix<T>& a, const Matrix<T>& b, location where) {
    const int n = square_extent("lapack::solve", a, where), count = extents_of("lapack::solve", b, where).columns;
    check_right_side(b.shape()[0], n, where);
    std::vector<T> x = transposed(b.data(), n, count);
    solve_columns(factor("lapack::solve", n, copy_of(a), where), x.data(), count, where);
    return matrix(transposed(x.data(), count, n), n, count);
}

template <class T>
Vector<T> solve(const Matrix<T>& a, const Vector<T>& b, location where) {
    const int n = square_extent("lapack::solve", a, where);
    check_right_side(b.size(), n, where);
    std::vector<T> x = b.to_vector();
    solve_columns(factor("lapack::solve", n, copy_of(a), where), x.data(), 1, where);
    return from(x);
}

/// The lower half of a row-major matrix is the upper half of a column-major one.
template <class T>
Matrix<T> cholesky(const Matrix<T>& a, location where) {
    const int n = square_extent("lapack::cholesky", a, where);
    std::vector<T> l = copy_of(a);
    int info = 0;
    if (n > 0) potrf('U', n, l.data(), &info);
    check("lapack::cholesky", info, where);
    if (info > 0)
        throw DomainError(
            fmt::format("lapack::cholesky: the matrix is not positive definite: its leading {} rows and columns are not",
                        info),
            where);
    for (int i = 0; i < n; ++i)
        std::fill(l.begin() + static_cast<std::ptrdiff_t>(product(i, n)) + i + 1,
                  l.begin() + static_cast<std::ptrdiff_t>(product(i + 1, n)), T(0));
    return matrix(l, n, n);
}

template <class T>
std::tuple<Matrix<T>, Matrix<T>, Vector<std::int64_t>> lu(const Matrix<T>& a, location where) {
    const int n = square_extent("lapack::lu", a, where);
    const Factors<T> factors = factor("lapack::lu", n, transposed(a.data(), n, n), where);
    std::vector<T> l = transposed(factors.values.data(), n, n), u(l.size());
    for (int i = 0; i < n; ++i) {
        T* row = l.data() + product(i, n);
        std::copy(row + i, row + n, u.data() + product(i, n) + i);
        std::fill(row + i, row + n, T(0));
        row[i] = 1;
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::size_t k = 0; k < order.size(); ++k)
        std::swap(order[k], order[static_cast<std::size_t>(factors.pivots[k]) - 1]);
    return {matrix(l, n, n), matrix(u, n, n), from(order)};
}

template <class T>
std::tuple<Matrix<T>, Matrix<T>> qr(const Matrix<T>& a, location where) {
    const auto [m, n] = tall_extents("lapack::qr", a, where);
    std::vector<T> columns = transposed(a.data(), m, n), tau(static_cast<std::size_t>(n)), r(product(n, n));
    if (n == 0) return {matrix(columns, m, n), matrix(r, n, n)};
    int info = 0;
    with_workspace<T>([&, m = m, n = n](T* work, int size) { geqrf(m, n, columns.data(), tau.data(), work, size, &info); });
    check("lapack::qr", info, where);
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j)
            r[product(i, n) + static_cast<std::size_t>(j)] = columns[product(j, m) + static_cast<std::size_t>(i)];
    with_workspace<T>([&, m = m, n = n](T* work, int size) { orgqr(m, n, columns.data(), tau.data(), work, size, &info); });
    check("lapack::qr", info, where);
    return {matrix(transposed(columns.data(), n, m), m, n), matrix(r, n, n)};
}

template <class T>
std::tuple<Vector<T>, Matrix<T>> eigh(const Matrix<T>& a, location where) {
    const int n = square_extent("lapack::eigh", a, where);
    std::vector<T> vectors = copy_of(a), values(static_cast<std::size_t>(n));
    if (n == 0) return {from(values), matrix(vectors, n, n)};
    int info = 0, integers = 0;
    T ignored = 0;
    syevd('U', n, vectors.data(), values.data(), &ignored, -1, &integers, -1, &info);
    std::vector<int> iwork(static_cast<std::size_t>(std::max(1, integers)));
    with_workspace<T>([&](T* work, int size) {
        syevd('U', n, vectors.data(), values.data(), work, size, iwork.data(),
              size < 0 ? -1 : static_cast<int>(iwork.size()), &info);
    });
    check("lapack::eigh", info, where);
    if (info > 0) throw DomainError("lapack::eigh: the eigenvalues do not converge", where);
    return {from(values), matrix(transposed(vectors.data(), n, n), n, n)};
}

/// The routine tells real parts from imaginary ones: of two conjugate eigenvalues, it gives one vector's two parts.
template <class T>
std::tuple<Vector<std::complex<T>>, Matrix<std::complex<T>>> eig(const Matrix<T>& a, location where) {
    const int n = square_extent("lapack::eig", a, where);
    const auto size = static_cast<std::size_t>(n);
    std::vector<T> columns = transposed(a.data(), n, n), reals(size), imaginaries(size), parts(product(n, n));
    std::vector<std::complex<T>> values(size), vectors(product(n, n));
    int info = 0;
    if (n > 0)
        with_workspace<T>([&](T* work, int room) {
            geev(n, columns.data(), reals.data(), imaginaries.data(), parts.data(), work, room, &info);
        });
    check("lapack::eig", info, where);
    if (info > 0) throw DomainError("lapack::eig: the eigenvalues do not converge", where);
    for (std::size_t k = 0; k < size; ++k) {
        values[k] = {reals[k], imaginaries[k]};
        const std::size_t first = imaginaries[k] < 0 ? k - 1 : k;
        for (std::size_t i = 0; i < size; ++i) {
            const T imaginary = imaginaries[k] == 0 ? T(0) : parts[(first + 1) * size + i];
            vectors[i * size + k] = {parts[first * size + i], imaginaries[k] < 0 ? -imaginary : imaginary};
        }
    }
    return {from(values), from(vectors, shape(n, n))};
}

/// The transpose of a, column-major, is V S transpose(U): what LAPACK calls U is V, and its transpose(V) has the layout of
/// U.
template <class T>
std::tuple<Matrix<T>, Vector<T>, Matrix<T>> svd(const Matrix<T>& a, location where) {
    const auto [m, n] = tall_extents("lapack::svd", a, where);
    std::vector<T> work_matrix = copy_of(a), values(static_cast<std::size_t>(n)), v(product(n, n)), u(product(m, n));
    if (n == 0) return {matrix(u, m, n), from(values), matrix(v, n, n)};
    int info = 0;
    std::vector<int> iwork(8 * static_cast<std::size_t>(n));
    with_workspace<T>([&, m = m, n = n](T* work, int size) {
        gesdd(n, m, n, work_matrix.data(), values.data(), v.data(), u.data(), work, size, iwork.data(), &info);
    });
    if (info == -4) throw DomainError("lapack::svd: the matrix has a NaN", where);
    check("lapack::svd", info, where);
    if (info > 0) throw DomainError("lapack::svd: the singular values do not converge", where);
    return {matrix(u, m, n), from(values), matrix(transposed(v.data(), n, n), n, n)};
}

#define SINTER_INSTANCES(T)                                                                                   \
    template Matrix<T> solve<T>(const Matrix<T>&, const Matrix<T>&, location);                                \
    template Vector<T> solve<T>(const Matrix<T>&, const Vector<T>&, location);                                \
    template Matrix<T> cholesky<T>(const Matrix<T>&, location);                                               \
    template std::tuple<Matrix<T>, Matrix<T>, Vector<std::int64_t>> lu<T>(const Matrix<T>&, location);        \
    template std::tuple<Matrix<T>, Matrix<T>> qr<T>(const Matrix<T>&, location);                              \
    template std::tuple<Vector<T>, Matrix<T>> eigh<T>(const Matrix<T>&, location);                            \
    template std::tuple<Vector<std::complex<T>>, Matrix<std::complex<T>>> eig<T>(const Matrix<T>&, location); \
    template std::tuple<Matrix<T>, Vector<T>, Matrix<T>> svd<T>(const Matrix<T>&, location);
SINTER_INSTANCES(float)
SINTER_INSTANCES(double)
#undef SINTER_INSTANCES

}  // namespace detail

}  // namespace sinter::lapack
