// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random arrays of distributions that reject: an element takes as many blocks of random words as it needs. They are
/// computed in double.
#pragma once

#include <sinter/control.hpp>
#include <sinter/random/key.hpp>
#include <sinter/random/real.hpp>

namespace sinter::random {

namespace detail {

/// Repeats attempt(draw), which returns a value and whether it is accepted, with draws from `first` on.
template <class T, class F>
Exp<T> until_accepted(std::uint32_t first, F attempt) {
    auto rejected = [](WordExp, Exp<T>, Exp<bool> accepted) { return !accepted; };
    auto body = [&](WordExp draw, Exp<T>, Exp<bool>) {
        const auto [value, accepted] = attempt(draw);
        return std::tuple(draw + 1u, value, accepted);
    };
    return std::get<1>(while_loop(rejected, body, first, T{}, false));
}

/// Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables" (ACM TOMS 26, 2000), for alpha >= 1.
inline Exp<double> gamma_from_one(const Blocks& blocks, Exp<double> alpha) {
    const Exp<double> d = alpha - 1.0 / 3, c = 1.0 / sqrt(9.0 * d);
    return until_accepted<double>(1, [&](WordExp draw) {
        const auto bits = blocks.pairs(draw);
        const Exp<double> x = standard_normal<double>(bits[0]), u = positive_unit<double>(bits[1]);
        const Exp<double> root = 1.0 + c * x, v = root * root * root;
        const Exp<bool> accepted = v > 0.0 && log(u) < 0.5 * x * x + d - d * v + d * log(v);
        return std::tuple(d * v, accepted);
    });
}

/// For alpha < 1: a number for alpha + 1 times u^(1 / alpha); u comes from draw 0.
inline Exp<double> gamma_number(const Blocks& blocks, Exp<double> alpha) {
    const Exp<bool> below = alpha < 1.0;
    const Exp<double> number = gamma_from_one(blocks, select(below, alpha + 1.0, alpha));
    const Exp<double> factor = pow(positive_unit<double>(blocks.pairs()[0]), 1.0 / alpha);
    return select(below, number * factor, number);
}

/// By inversion: adds up probabilities.
inline Exp<std::int64_t> poisson_by_inversion(const Blocks& blocks, Exp<double> mean) {
    const Exp<double> u = unit<double>(blocks.pairs()[0]), none = exp(-mean);
    auto below = [&](Exp<std::int64_t> k, Exp<double>, Exp<double> sum) { return u >= sum && k < 200; };
    auto next = [&](Exp<std::int64_t> k, Exp<double> probability, Exp<double> sum) {
        const Exp<double> following = probability * mean / cast<double>(k + 1);
        return std::tuple(k + 1, following, sum + following);
    };
    return std::get<0>(while_loop(below, next, std::int64_t{0}, none, none));
}

/// W. Hörmann, "The Transformed Rejection Method for Generating Poisson Random Variables" (1993), algorithm PTRS.
inline Exp<std::int64_t> poisson_by_rejection(const Blocks& blocks, Exp<double> mean) {
    const Exp<double> b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b, log_mean = log(mean);
    const Exp<double> scale = log(1.1239 + 1.1328 / (b - 3.4)), squeeze = 0.9277 - 3.6224 / (b - 2.0);
    return until_accepted<std::int64_t>(0, [&](WordExp draw) {
        const auto bits = blocks.pairs(draw);
        const Exp<double> u = positive_unit<double>(bits[0]) - 0.5, v = positive_unit<double>(bits[1]);
        const Exp<double> us = 0.5 - abs(u), k = floor((2.0 * a / us + b) * u + mean + 0.43);
        const Exp<bool> quick = us >= 0.07 && v <= squeeze;
        const Exp<bool> possible = k >= 0.0 && !(us < 0.013 && v > us);
        const Exp<bool> exact = log(v) + scale - log(a / (us * us) + b) <= k * log_mean - mean - lgamma(k + 1.0);
        return std::tuple(cast<std::int64_t>(k), quick || (possible && exact));
    });
}

}  // namespace detail

/// Gamma distributed numbers with shape alpha > 0, a literal or an Exp<double>, and scale 1.
template <Real T = float, Word W, int Rank, class P>
auto gamma(const BasicKey<W>& key, const P& alpha, const Shape<Rank>& shape, location where = location::current()) {
    auto element = [&](const detail::Blocks& blocks) { return cast<T>(detail::gamma_number(blocks, Exp<double>(alpha))); };
    return detail::from_blocks(key, shape, element, where);
}

/// Poisson distributed numbers with a mean >= 0, a literal or an Exp<double>: by inversion below 10, else by rejection.
template <Word W, int Rank, class P>
auto poisson(const BasicKey<W>& key, const P& mean, const Shape<Rank>& shape, location where = location::current()) {
    auto element = [&](const detail::Blocks& blocks) {
        const Exp<double> lambda(mean);
        return cond(
            lambda < 10.0, [&] { return detail::poisson_by_inversion(blocks, lambda); },
            [&] { return detail::poisson_by_rejection(blocks, lambda); });
    };
    return detail::from_blocks(key, shape, element, where);
}

}  // namespace sinter::random
