// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests if random numbers have their distributions: Kolmogorov and Smirnov's test for real numbers, the chi-squared test for
// integers. Keys are fixed, so the outcome is, too; a correct generator fails for one key in about a thousand.
#include "conform/support.hpp"

#include <sinter/random.hpp>

#include <algorithm>

using namespace sinter;
using namespace conform;

namespace {

constexpr std::int64_t n = 1 << 20;

/// n^(1/2) times the greatest distance of the empirical distribution function; above 1.95 with probability 0.001.
template <class E, class F>
double kolmogorov_smirnov(const E& expression, F distribution) {
    const auto numbers = run(expression).to_vector();
    std::vector<double> v(numbers.begin(), numbers.end());
    std::sort(v.begin(), v.end());
    const double count = static_cast<double>(v.size());
    double distance = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double p = distribution(v[i]), below = static_cast<double>(i) / count;
        distance = std::max({distance, p - below, below + 1 / count - p});
    }
    return distance * std::sqrt(count);
}

/// How many standard deviations chi-squared is away from its mean, by Wilson and Hilferty's cube root.
double chi_squared(const std::vector<double>& counts, const std::vector<double>& expected) {
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += std::pow(counts[i] - expected[i], 2) / expected[i];
    const double freedom = static_cast<double>(counts.size()) - 1, variance = 2 / (9 * freedom);
    return (std::cbrt(sum / freedom) - (1 - variance)) / std::sqrt(variance);
}

template <class E>
std::vector<double> counts_of(const E& expression, std::size_t bins) {
    std::vector<double> counts(bins);
    for (auto i : run(expression).to_vector()) counts[std::min(static_cast<std::size_t>(i), bins - 1)] += 1;
    return counts;
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double exponential_distribution(double x) { return -std::expm1(-x); }

/// Gamma's distribution function for whole and half shapes, by recurrence from shape 1 or 1/2.
double gamma_distribution(double shape, double x) {
    const bool whole = shape == std::floor(shape);
    double at = whole ? 1 : 0.5, p = whole ? -std::expm1(-x) : std::erf(std::sqrt(x));
    for (; at < shape; at += 1) p -= std::exp(at * std::log(x) - x - std::lgamma(at + 1));
    return p;
}

void check_poisson(double mean, int seed, std::size_t first, std::size_t bins) {
    CAPTURE(mean);
    const auto numbers = random::poisson(key(seed), mean, shape(n));
    const auto low = static_cast<std::int64_t>(first);
    const auto counts = counts_of(map([=](auto k) { return max(k - low, 0); }, numbers), bins);
    std::vector<double> expected(bins);
    for (std::size_t k = 0; k < first + 20 * bins; ++k) {
        const double p = std::exp(static_cast<double>(k) * std::log(mean) - mean - std::lgamma(static_cast<double>(k) + 1));
        expected[std::min(k < first ? 0 : k - first, bins - 1)] += p * static_cast<double>(n);
    }
    CHECK(std::abs(chi_squared(counts, expected)) < 3.3);
}

}  // namespace

TEST_CASE("real random numbers have their distributions", "[.][long]") {
    auto identity = [](double x) { return x; };
    for (int seed = 0; seed < 3; ++seed) {
        CAPTURE(seed);
        const Key k = key(seed);
        CHECK(kolmogorov_smirnov(uniform<float>(k, shape(n)), identity) < 1.95);
        CHECK(kolmogorov_smirnov(uniform<double>(k, shape(n)), identity) < 1.95);
        CHECK(kolmogorov_smirnov(normal<float>(k, shape(n)), normal_distribution) < 1.95);
        CHECK(kolmogorov_smirnov(normal<double>(k, shape(n)), normal_distribution) < 1.95);
        CHECK(kolmogorov_smirnov(exponential<float>(k, shape(n)), exponential_distribution) < 1.95);
        CHECK(kolmogorov_smirnov(exponential<double>(k, shape(n)), exponential_distribution) < 1.95);
        for (double alpha : {0.5, 1.0, 1.5, 7.0, 30.5}) {
            CAPTURE(alpha);
            auto distribution = [=](double x) { return gamma_distribution(alpha, x); };
            CHECK(kolmogorov_smirnov(gamma<double>(k, alpha, shape(n)), distribution) < 1.95);
        }
        // Numbers of one position under many keys, and of derived keys, are as good as those of one key.
        auto of_key = [&](Exp<std::int64_t> i) {
            return random::detail::unit<double>(random::detail::join(fold_in(k, i).first, fold_in(k, i).second));
        };
        CHECK(kolmogorov_smirnov(generate(shape(n), of_key), identity) < 1.95);
    }
}

TEST_CASE("random integers have their distributions", "[.][long]") {
    for (int seed = 0; seed < 3; ++seed) {
        CAPTURE(seed);
        const Key k = key(seed);
        const std::vector<double> even(1000, static_cast<double>(n) / 1000);
        CHECK(std::abs(chi_squared(counts_of(randint(k, shape(n), 0, 1000), 1000), even)) < 3.3);
        const auto heads = counts_of(random::bernoulli(k, 0.3, shape(n)), 2);
        CHECK(std::abs(heads[1] - 0.3 * static_cast<double>(n)) < 3.3 * std::sqrt(0.21 * static_cast<double>(n)));
        check_poisson(0.5, seed, 0, 7);
        check_poisson(9.5, seed, 1, 24);
        check_poisson(10, seed, 1, 25);
        check_poisson(100, seed, 65, 75);
    }
}

TEST_CASE("neighbouring random numbers are independent", "[.][long]") {
    const auto u = randint(key(11), shape(n), 0, 16);
    auto pair = [](auto x, auto y) { return 16 * x + y; };
    const auto pairs = map(pair, take(u, n - 1), drop(u, 1));
    const std::vector<double> even(256, static_cast<double>(n - 1) / 256);
    CHECK(std::abs(chi_squared(counts_of(pairs, 256), even)) < 4);  // pairs overlap
    std::vector<double> orders(24);
    for (int seed = 0; seed < 2400; ++seed) {
        const auto p = run(permutation(key(seed), 4)).to_vector();
        orders[static_cast<std::size_t>(6 * p[0] + 2 * (p[1] - (p[1] > p[0])) + (p[2] > p[3]))] += 1;
    }
    CHECK(std::abs(chi_squared(orders, std::vector<double>(24, 100.0))) < 3.3);
}
