// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tridiagonal systems, without pivoting: for diagonally dominant matrices. A few long ones are solved by three scans, each
/// of which composes functions; many by two recurrences, which do less but go step by step along the axis.
#pragma once

#include "common.hpp"

namespace programs {

/// For each element, the one before it in its line; for the first, the element itself.
template <class T, int Rank>
Delayed<T, Rank> previous(const Delayed<T, Rank>& x) {
    return stencil(
        [](auto s) {
            return [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
                return s((Axis + 1 == Rank ? -1 : 0)...);
            }(std::make_integer_sequence<int, Rank>{});
        },
        boundary::clamp, x);
}

/// v -> (p v + q) / (r v + s), as a matrix; matrices that differ by a factor represent the same function.
template <class Real>
using Fraction = std::tuple<Real, Real, Real, Real>;

inline constexpr auto compose_fractions = []<class Real>(Exp<Fraction<Real>> first, Exp<Fraction<Real>> second) {
    auto [p, q, r, s] = first;
    auto [p2, q2, r2, s2] = second;
    auto a = p2 * p + q2 * r, c = r2 * p + s2 * r;
    auto scale = 1 / (abs(a) + abs(c));  // otherwise the numbers would overflow
    return std::tuple(a * scale, (p2 * q + q2 * s) * scale, c * scale, (r2 * q + s2 * s) * scale);
};

/// v -> k + m v
inline constexpr auto compose_lines = [](auto first, auto second) {
    auto [k1, m1] = first;
    auto [k2, m2] = second;
    return std::tuple(k2 + m2 * k1, m1 * m2);
};
inline constexpr auto compose_lines_backwards = [](auto second, auto first) { return compose_lines(first, second); };

/// x such that a[i] x[i - 1] + b[i] x[i] + c[i] x[i + 1] = y[i] in each line along the innermost axis. The first a and the
/// last c are zero.
template <class Real, int Rank>
Delayed<Real, Rank> solve_tridiagonal(const Delayed<Real, Rank>& a, const Delayed<Real, Rank>& b,
                                      const Delayed<Real, Rank>& c, const Delayed<Real, Rank>& y) {
    // Elimination: pivot[i] = b[i] - a[i] c[i - 1] / pivot[i - 1]; rest[i] = y[i] - a[i] / pivot[i - 1] rest[i - 1].
    auto pivot_from_last = map([](Exp<Real> low, Exp<Real> diagonal,
                                  Exp<Real> high) { return std::tuple(diagonal, -low * high, Exp<Real>(1), Exp<Real>(0)); },
                               a, b, previous(c));
    auto pivot = map([](auto p, auto, auto r, auto) { return p / r; }, inclusive_scan(compose_fractions, pivot_from_last));
    auto rest = get<0>(inclusive_scan(compose_lines, zip(y, -a / previous(pivot))));
    // Substitution: x[i] = (rest[i] - c[i] x[i + 1]) / pivot[i].
    return get<0>(inclusive_scan(compose_lines_backwards, zip(rest / pivot, -c / pivot), from_right));
}

/// The same by recurrences, along any axis of matrices.
template <class Real>
Delayed<Real, 2> solve_tridiagonals(const Delayed<Real, 2>& a, const Delayed<Real, 2>& b, const Delayed<Real, 2>& c,
                                    const Delayed<Real, 2>& y, int along) {
    using Number = Exp<Real>;
    auto before = stencil([=](auto s) { return along == 0 ? s(-1, 0) : s(0, -1); }, boundary::clamp, c);
    auto eliminate = [](auto last, Number low, Number diagonal, Number right, Number high) {
        auto [pivot, rest] = last;
        auto factor = low / pivot;
        return std::tuple(diagonal - factor * high, right - factor * rest);
    };
    auto [pivot, rest] = unzip(recur(eliminate, std::tuple(Real(1), Real(0)), a, b, y, before, axis(along)));
    auto substitute = [](Number next, Number rest, Number pivot, Number high) { return (rest - high * next) / pivot; };
    return recur(substitute, Real(0), rest, pivot, c, axis(along), from_right);
}

}  // namespace programs
