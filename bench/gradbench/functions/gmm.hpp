// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The logarithm of the posterior of a mixture of Gaussians with a Wishart prior.
#pragma once

#include "common.hpp"

#include <cmath>

namespace gradbench {

/// The lower triangular factors of the inverse covariances, one per component: exp(q) on the diagonal, and below it the
/// columns of `below`, one after another.
inline Delayed<double, 3> factors(Matrix q, Matrix below) {
    const Index d = extent(q, 1);
    auto element = [=](Index k, Index i, Index j) {
        return cond(
            i > j, [=] { return below(k, j * d - j * (j + 1) / 2 + i - j - 1); },
            [=] { return cond(i == j, [=] { return exp(q(k, i)); }, [] { return Real(0.0); }); });
    };
    return generate(shape(extent(q, 0), d, d), element);
}

/// log of the multivariate gamma function of a, for matrices of d rows.
inline Real log_multivariate_gamma(Real a, Index d) {
    const Real rows = cast<double>(d);
    return 0.25 * rows * (rows - 1.0) * std::log(M_PI) +
           sum(map([=](Index j) { return lgamma(a - 0.5 * cast<double>(j)); }, iota(d)))();
}

/// The prior, whose distribution has the scale gamma and m degrees of freedom more than its least number.
inline Scalar log_prior(Matrix q, Matrix below, Real gamma, Index m) {
    const Index d = extent(q, 1);
    const Real rows = cast<double>(d), freedom = cast<double>(d + m + 1);
    const Real normalisation =
        freedom * rows * (log(gamma) - 0.5 * std::log(2.0)) - log_multivariate_gamma(0.5 * freedom, d);
    auto squares = [](Matrix a) { return sum(a * a, axes(0, 1)); };
    return cast<double>(extent(q, 0)) * normalisation + cast<double>(m) * sum(q, axes(0, 1)) -
           0.5 * gamma * gamma * (squares(exp(q)) + squares(below));
}

inline Scalar log_posterior(Vector alpha, Matrix means, Matrix q, Matrix below, Matrix points, Real gamma, Index m) {
    const Delayed<double, 3> factor = factors(q, below);
    const Vector weights = alpha + sum(q);
    auto density = [](Vector point, Real weight, Vector mean, Matrix triangle) {
        const Vector centred = point - mean;
        const Vector scaled = vmap([=](Vector row) { return sum(row * centred); }, triangle);
        return weight - 0.5 * sum(scaled * scaled);
    };
    auto of_point = [=](Vector point) {
        return log_sum_exp(
            vmap([=](Real w, Vector mean, Matrix f) { return density(point, w, mean, f); }, weights, means, factor));
    };
    const Real n = cast<double>(extent(points, 0)), d = cast<double>(extent(points, 1));
    return sum(vmap(of_point, points)) - n * log_sum_exp(alpha) - n * d * (0.5 * std::log(2 * M_PI)) +
           log_prior(q, below, gamma, m);
}

}  // namespace gradbench
