// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Short functions of one vector: hello, lse, llsq, det.
#pragma once

#include "common.hpp"

namespace gradbench {

inline Real square(Real x) { return x * x; }

/// Half the sum of the squared residuals of the polynomial with coefficients x at n points of [-1, 1], where it should have
/// the sign of the point.
inline Scalar least_squares(Vector x, Index n) {
    const Index terms = size(x);
    auto residual = [=](Index i) {
        const Real t = 2.0 * cast<double>(i) / cast<double>(n - 1) - 1.0;
        const Real wanted = select(t > 0.0, 1.0, select(t < 0.0, -1.0, 0.0));
        return wanted - for_loop(terms, [=](Index k, Real value) { return value * t + x(terms - 1 - k); }, 0.0);
    };
    return 0.5 * sum(map([](Real r) { return r * r; }, map(residual, iota(n))));
}

/// The determinant of a matrix of n rows, by complete expansion: the sum over all permutations, which are numbered in the
/// factorial number system. A digit says which of the columns that are left belongs to the row.
inline Scalar determinant(Vector elements, Index n) {
    const Index permutations = for_loop(n, [](Index k, Index count) { return count * (k + 1); }, Long(1));
    auto term = [=](Index number) {
        auto next_row = [=](Index row, Index rest, Index left, Real product) {
            const Index digit = rest % (n - row);
            // The column whose number among those that are left is the digit.
            const auto [after, skipped, found] = while_loop(
                [](Index, Index, Exp<bool> found) { return !found; },
                [=](Index at, Index skipped, Exp<bool>) {
                    const Exp<bool> present = ((left >> at) & Long(1)) == Long(1);
                    const Exp<bool> found = present && skipped == digit;
                    return std::tuple(select(found, at, at + 1), select(present && !found, skipped + 1, skipped), found);
                },
                Index(0), Index(0), Exp<bool>(false));
            const Index column = after;
            const Real sign = select(digit % 2 == 0, 1.0, -1.0);
            return std::tuple(rest / (n - row), left ^ (Index(1) << column), product * sign * elements(row * n + column));
        };
        auto [rest, left, product] = for_loop(n, next_row, number, (Index(1) << n) - 1, Real(1.0));
        return product;
    };
    return sum(map(term, iota(permutations)));
}

}  // namespace gradbench
