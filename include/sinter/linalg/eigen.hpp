// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Eigenvalues of symmetric matrices and singular values, by Jacobi's method: rotations of pairs of columns, n / 2 disjoint
/// pairs at a time in the order of a round robin (Brent and Luk, "The Solution of Singular-Value and Symmetric Eigenvalue
/// Problems on Multiprocessor Arrays", 1985), until what they rotate away is below the precision.
#pragma once

#include <sinter/combinators/sort.hpp>
#include <sinter/linalg/factor.hpp>

namespace sinter {

namespace detail {

/// The column that column i meets in a round, for n columns; i itself if there is none. Column m - 1 stays, the others go
/// round it (m is n rounded up to an even number).
inline Index0 partner(Index0 i, Index0 round, Index0 n) {
    const Index0 m = n + n % 2, others = m - 1;
    const Index0 met = (2 * round - i + 2 * others) % others;
    const Index0 found = select(i == others, round % others, select(i == round % others, others, met));
    return select(found >= n, i, found);
}

/// Cosine and sine of the rotation that makes the off-diagonal element b of (a b; b c) zero.
template <class T>
auto rotation(Exp<T> a, Exp<T> b, Exp<T> c) {
    const Exp<T> tau = (c - a) / (b + b);
    const Exp<T> t = select(tau < T(0), T(-1), T(1)) / (sinter::abs(tau) + sinter::hypot(tau, Exp<T>(T(1))));
    const Exp<T> cosine = T(1) / sinter::sqrt(t * t + T(1));
    const Exp<bool> none = b == T(0);
    return std::tuple(select(none, T(1), cosine), select(none, T(0), t * cosine));
}

constexpr int most_sweeps = 30;

template <class T>
constexpr T precision = std::numeric_limits<T>::epsilon();

/// The columns in the order given by `order`.
template <class T>
auto columns_in_order(const char* what, const Delayed<T, 2>& a, const Delayed<std::int64_t>& order, location where) {
    return same_matrix(what, a, where, [&](Index0 i, Index0 j) { return a(i, order(j)); });
}

}  // namespace detail

/// A std::tuple of the eigenvalues of a symmetric matrix, ascending, and its eigenvectors, the columns of a matrix.
template <class A>
    requires(rank_v<A> == 2 && detail::Real<element_t<A>>)
auto eigh(detail::Operand<A> a) {
    using T = element_t<A>;
    using detail::Index0;
    const location where = a.where;
    const Delayed<T, 2> matrix = detail::require_square<T>("eigh", *a.array, where);
    const auto n = detail::axis_length(matrix, 0, where);
    auto round = [=](Index0 r, const Delayed<T, 2>& m, const Delayed<T, 2>& v) {
        // Column i becomes c(i) times itself plus s(i) times its partner; the two columns of a pair have sines of opposite
        // sign.
        auto turn = [&](Index0 i) {
            const Index0 p = detail::partner(i, r, n()), low = min(i, p), high = max(i, p);
            auto [c, s] = detail::rotation<T>(m(low, low), m(low, high), m(high, high));
            return std::tuple(select(p == i, T(1), c), select(p == i, T(0), select(i < p, -s, s)));
        };
        const auto turns = force(detail::each_column("eigh", m, where, turn), where);
        const auto c = detail::array_component<0>(turns), s = detail::array_component<1>(turns);
        auto turned = [&](Index0 i, Index0 j) {
            const Index0 p = detail::partner(i, r, n()), q = detail::partner(j, r, n());
            const Exp<T> own = m(i, j) * c(j) + m(i, q) * s(j), other = m(p, j) * c(j) + m(p, q) * s(j);
            return own * c(i) + other * s(i);
        };
        auto vectors = [&](Index0 i, Index0 j) { return v(i, j) * c(j) + v(i, detail::partner(j, r, n())) * s(j); };
        return std::tuple(detail::same_matrix("eigh", m, where, turned), detail::same_matrix("eigh", v, where, vectors));
    };
    auto sweep = [=](const Delayed<T, 2>& m, const Delayed<T, 2>& v, Index0 sweeps) {
        auto [turned, vectors] = for_loop(map([](auto k) { return k + k % 2 - 1; }, n), round, m, v);
        return std::tuple(turned, vectors, sweeps + 1);
    };
    auto goes_on = [=](const Delayed<T, 2>& m, const Delayed<T, 2>&, Index0 sweeps) {
        auto plus = [](const auto& x, const auto& y) { return x + y; };
        auto square = [](const auto& x) { return x * x; };
        const auto all_of = fold(plus, T(0), map(square, flatten(m)), axis(0), where);
        auto off_diagonal = [](auto i, auto j, auto x) { return select(i == j, T(0), x * x); };
        const auto off = fold(plus, T(0), flatten(map_indexed(off_diagonal, m)), axis(0), where);
        constexpr T small = detail::precision<T>;
        return sweeps < detail::most_sweeps && off() > all_of() * (small * small);
    };
    auto unit = [](Index0 i, Index0 j) { return select(i == j, T(1), T(0)); };
    auto half = [&](Index0 i, Index0 j) { return select(i >= j, matrix(i, j), matrix(j, i)); };
    const auto done = while_loop(goes_on, sweep, detail::same_matrix("eigh", matrix, where, half),
                                 detail::same_matrix("eigh", matrix, where, unit), std::int64_t{0});
    const auto values = diagonal(std::get<0>(done));
    const auto places = map_indexed([](auto i, const auto&) { return i; }, values);
    auto [sorted, order] = sort_by_key(values, places, where);
    return std::tuple(sorted, detail::columns_in_order<T>("eigh", std::get<1>(done), order, where));
}

/// a = U diag(s) transpose(V), for an m x n matrix with m >= n: a std::tuple of U, m x n with orthonormal columns, the
/// singular values s, descending, and V, n x n. Columns of U that belong to singular values 0 are 0.
template <class A>
    requires(rank_v<A> == 2 && detail::Real<element_t<A>>)
auto svd(detail::Operand<A> a) {
    using T = element_t<A>;
    using detail::Index0;
    const location where = a.where;
    const Delayed<T, 2> matrix = *a.array;
    const auto n = detail::axis_length(matrix, 1, where);
    auto plus = [](const auto& x, const auto& y) { return x + y; };
    // Rotations of pairs of columns make all columns orthogonal: Hestenes's one-sided method.
    auto round = [=](Index0 r, const Delayed<T, 2>& u, const Delayed<T, 2>& v, Exp<T> worst) {
        const auto lengths = force(detail::einsum_arrays<T, 1>("ij,ij->j", where, u, u), where);
        auto product = [&](Index0 i, Index0 j) { return u(i, j) * u(i, detail::partner(j, r, n())); };
        const auto products = force(fold(plus, T(0), detail::same_matrix("svd", u, where, product), axis(0), where), where);
        auto turn = [&](Index0 j) {
            const Index0 p = detail::partner(j, r, n()), low = min(j, p), high = max(j, p);
            auto [c, s] = detail::rotation<T>(lengths(low), products(j), lengths(high));
            return std::tuple(select(p == j, T(1), c), select(p == j, T(0), select(j < p, -s, s)));
        };
        const auto turns = force(map_indexed([&](auto j, const auto&) { return turn(j); }, lengths), where);
        const auto c = detail::array_component<0>(turns), s = detail::array_component<1>(turns);
        auto cosine = [&](Index0 j, Exp<T> length) {
            const Index0 p = detail::partner(j, r, n());
            const Exp<T> both = length * lengths(p);
            return select(p == j || both == T(0), T(0), sinter::abs(products(j)) / sinter::sqrt(both));
        };
        auto larger = [](const auto& x, const auto& y) { return max(x, y); };
        const auto now = fold(larger, T(0), map_indexed(cosine, lengths), axis(0), where);
        auto turned = [&](const Delayed<T, 2>& m) {
            return detail::same_matrix("svd", m, where, [&](Index0 i, Index0 j) {
                return m(i, j) * c(j) + m(i, detail::partner(j, r, n())) * s(j);
            });
        };
        return std::tuple(turned(u), turned(v), max(worst, now()));
    };
    auto sweep = [=](const Delayed<T, 2>& u, const Delayed<T, 2>& v, Exp<T>, Index0 sweeps) {
        auto [x, y, worst] = for_loop(map([](auto k) { return k + k % 2 - 1; }, n), round, u, v, T(0));
        return std::tuple(x, y, worst(), sweeps + 1);
    };
    auto goes_on = [](const Delayed<T, 2>&, const Delayed<T, 2>&, Exp<T> worst, Index0 sweeps) {
        return sweeps < detail::most_sweeps && worst > T(4) * detail::precision<T>;
    };
    auto unit = [](Index0 i, Index0 j) { return select(i == j, T(1), T(0)); };
    const auto square = detail::einsum_arrays<T, 2>("ki,kj->ij", where, matrix, matrix);
    const auto done =
        while_loop(goes_on, sweep, matrix, detail::same_matrix("svd", square, where, unit), T(1), std::int64_t{0});
    const Delayed<T, 2> u = std::get<0>(done);
    const Delayed<T> lengths =
        map([](auto x) { return sinter::sqrt(x); }, detail::einsum_arrays<T, 1>("ij,ij->j", where, u, u));
    const auto places = map_indexed([](auto i, const auto&) { return i; }, lengths);
    auto [negative, order] = sort_by_key(map([](auto x) { return -x; }, lengths), places, where);
    const Delayed<T> values = map([](auto x) { return -x; }, negative);
    auto unit_columns = [&](Index0 i, Index0 j) { return select(values(j) == T(0), T(0), u(i, order(j)) / values(j)); };
    return std::tuple(detail::same_matrix("svd", u, where, unit_columns), values,
                      detail::columns_in_order<T>("svd", std::get<1>(done), order, where));
}

}  // namespace sinter
