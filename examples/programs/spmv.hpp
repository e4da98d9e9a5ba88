// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A sparse matrix in compressed rows, and its product with a vector: gather, multiply, fold the segments.
#pragma once

#include "common.hpp"

namespace programs {

template <class Real>
struct SparseMatrix {
    std::int64_t rows, columns;
    Array<std::int64_t> lengths;  ///< of each row: its number of entries
    Array<std::int32_t> column;   ///< of each entry, row by row
    Array<Real> value;
};

template <class Real>
Delayed<Real> product(const SparseMatrix<Real>& a, const Delayed<Real>& x) {
    return fold_segments(std::plus<>{}, Real(0), gather(a.column, x) * a.value, a.lengths);
}

/// Power method: an approximation of the eigenvector of the largest eigenvalue.
inline Delayed<double> power_method(const SparseMatrix<double>& a, std::int64_t steps, const Delayed<double>& start) {
    auto step = [=](Exp<std::int64_t>, Delayed<double> x) {
        auto y = product(a, x);
        auto norm = sqrt(sum(y * y));
        return map([=](Exp<double> v) { return v / norm(); }, y);
    };
    return for_loop(steps, step, start);
}

/// The five-point Laplacian on a grid of k x k points.
inline SparseMatrix<double> laplacian(std::int64_t k) {
    using Entry = std::tuple<bool, std::int32_t, double>;
    const Array<std::int64_t> offsets = from({-k, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, k});
    auto entry = [=](Exp<std::int64_t> row, Exp<std::int64_t> e) -> Exp<Entry> {
        auto i = row / k, j = row % k;
        auto inside = (e == 0 && i > 0) || (e == 1 && j > 0) || e == 2 || (e == 3 && j < k - 1) || (e == 4 && i < k - 1);
        return std::tuple(inside, cast<std::int32_t>(row + offsets(e)), select(e == 2, 4., -1.));
    };
    auto length = [=](Exp<std::int64_t> row) {
        auto i = row / k, j = row % k;
        auto one_if = [](Exp<bool> c) { return cast<std::int64_t>(c); };
        return 1 + one_if(i > 0) + one_if(j > 0) + one_if(j < k - 1) + one_if(i < k - 1);
    };
    auto entries = filter([](auto inside, auto, auto) { return inside; }, expand(5, entry, iota(k * k)));
    auto [lengths, column, value] = run(map(length, iota(k * k)), get<1>(entries), get<2>(entries));
    return {k * k, k * k, lengths, column, value};
}
/// A vector whose products with that matrix are exact.
inline Array<double> laplacian_vector(std::int64_t n) {
    return make_input(n, [](Exp<std::int64_t> c) { return cast<double>(below(71, c, 17) - 8) / 4; });
}

/// A square matrix with rows of very different lengths.
inline SparseMatrix<double> skewed_matrix(std::int64_t n) {
    auto lengths = make_input(n, [](Exp<std::int64_t> r) {
        auto long_row = 1 + below(73, r, 2000), short_row = 1 + below(73, r, 10);
        return select(below(72, r, 8) == 0, 0, select(r % 100 == 0, long_row, short_row));
    });
    const std::int64_t entries = run(sum(lengths)).item();
    auto column = [=](Exp<std::int64_t> e) { return cast<std::int32_t>(below(74, e, static_cast<std::uint64_t>(n))); };
    auto value = [](Exp<std::int64_t> e) { return symmetric64(75, e); };
    return {n, n, lengths, make_input(entries, column), make_input(entries, value)};
}
inline Array<double> skewed_vector(std::int64_t n) {
    return make_input(n, [](Exp<std::int64_t> c) { return symmetric64(76, c); });
}

}  // namespace programs
