// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LU factorisation without pivoting, in place. It follows the program lud of the benchmark set Rodinia.
#pragma once

#include "common.hpp"

namespace programs {

/// The factors in one matrix: L below the diagonal (its own diagonal is 1), and U. Each step maps the whole matrix.
template <class Real>
Delayed<Real, 2> lu(const Delayed<Real, 2>& matrix, std::int64_t n) {
    auto step = [](Exp<std::int64_t> k, Delayed<Real, 2> a) {
        return map_indexed(
            [=](Exp<std::int64_t> i, Exp<std::int64_t> j, Exp<Real> x) {
                return cond(
                    i > k && j >= k,
                    [&] {
                        auto factor = a(i, k) / a(k, k);
                        return select(j == k, factor, x - factor * a(k, j));
                    },
                    [&] { return x; });
            },
            a);
    };
    return for_loop(n, step, matrix);
}

/// The same by slices: a column and everything to the right of it and below are replaced, in place.
template <class Real>
Delayed<Real, 2> lu_by_slices(const Delayed<Real, 2>& matrix, std::int64_t n) {
    auto step = [=](Exp<std::int64_t> k, Delayed<Real, 2> a) {
        auto below = range(k + 1, n), here = range(k, k + 1);
        auto column = map([=](Exp<Real> x) { return x / a(k, k); }, slice(a, below, here));
        auto row = slice(a, here, below);
        auto rest =
            map_indexed([=](Exp<std::int64_t> i, Exp<std::int64_t> j, Exp<Real> x) { return x - column(i, 0) * row(0, j); },
                        slice(a, below, below));
        return update(update(a, below, here, column), below, below, rest);
    };
    return for_loop(n, step, matrix);
}

/// The matrix with these factors.
template <class Real>
Delayed<Real, 2> lu_product(const Delayed<Real, 2>& factors, std::int64_t n) {
    return generate(shape(n, n), [=](Exp<std::int64_t> i, Exp<std::int64_t> j) {
        auto add = [=](Exp<std::int64_t> k, Exp<Real> total) {
            auto l = select(k == i, Real(1), factors(i, k));
            return total + l * factors(k, j);
        };
        return for_loop(min(i, j) + 1, add, Exp<Real>(0));
    });
}

/// A matrix that is diagonally dominant.
template <class Real>
Array<Real, 2> dominant_matrix(std::int64_t n) {
    return run(generate(shape(n, n), [=](Exp<std::int64_t> i, Exp<std::int64_t> j) {
        auto x = cast<Real>(symmetric64(91, i * n + j));
        return select(i == j, static_cast<Real>(n) + x, x);
    }));
}

}  // namespace programs
