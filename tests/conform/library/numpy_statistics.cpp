// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/library/numpy.hpp"

#include <sinter/linalg.hpp>
#include <sinter/numeric.hpp>
#include <sinter/random.hpp>

#include <numbers>

using namespace sinter;
using namespace numpy;

namespace {

auto not_nan = [](auto v) { return !isnan(v); };

}  // namespace

TEST_CASE("NumPy's functions: statistics", "[numpy][gpu]") {
    const auto x = doubles({3, 1, 4, 1, 5}), weights = doubles({1, 1, 2, 0, 1});
    NUMPY("mean", is(mean(x), {2.8}));
    NUMPY("average", is(sum(x * weights) / sum(weights), {17. / 5}));
    NUMPY("var", is(var(x), {2.56}));
    NUMPY("std", is(stddev(x), {1.6}));
    NUMPY("median", is(median(x), {3}));
    NUMPY("quantile", is(quantile(x, 0.5), {3}));
    NUMPY("percentile", is(quantile(x, 25. / 100), {1}));
    NUMPY("ptp", is(max(x) - min(x), {4}));
    NUMPY("argmin", is(argmin(x), {1}));
    NUMPY("argmax", is(argmax(x), {4}));
    NUMPY("count_nonzero", is(count(x != 1.), {3}));
    NUMPY("cumsum, cumulative_sum", is(cumsum(x), {3, 4, 8, 9, 14}));
    NUMPY("cumprod, cumulative_prod", is(cumprod(x), {3, 3, 12, 12, 60}));
    NUMPY("diff", is(diff(x), {-2, 3, -3, 4}));
    NUMPY("ediff1d", is(diff(flatten(matrix())), {1, 1, 1, 1, 1}));
    NUMPY("gradient", is(gradient(doubles({1, 2, 4, 7})), {1, 1.5, 2.5, 3});
          is(gradient(from(Doubles{1, 2, 4, 8}, shape(2, 2)), 2., axis(0)), {1.5, 3, 1.5, 3}));
    NUMPY("trapezoid", is(trapezoid(x, doubles({0, 1, 2, 4, 5})), {2 + 2.5 + 5 + 3}));
    NUMPY("interp", is(interp(doubles({0.5, 3}), doubles({0, 1, 2}), doubles({0, 10, 40})), {5, 40}));
    NUMPY("convolve", is(convolve(doubles({1, 2, 3}), doubles({0, 1, 0.5})), {0, 1, 2.5, 4, 1.5});
          is(convolve(doubles({1, 2, 3}), doubles({0, 1, 0.5}), Overlap::same), {1, 2.5, 4}));
    NUMPY("correlate", is(correlate(doubles({1, 2, 3}), doubles({0, 1, 0.5})), {3.5});
          is(correlate(doubles({1, 2, 3}), doubles({0, 1, 0.5}), Overlap::same), {2, 3.5, 3}));
    const Array<double, 2> two = from(Doubles{1, 2, 3, 2, 4, 7}, shape(2, 3));
    const auto centred = run(two - mean(two, axis(1), keep));
    const auto covariance = run(matmul(centred, transpose(centred)) / 2.);
    NUMPY("cov", mean(two, axis(1), keep); matmul(centred, transpose(centred)); is(covariance, {1, 2.5, 2.5, 19. / 3}));
    const auto deviations = run(sqrt(diagonal(covariance)));
    NUMPY("corrcoef", sqrt(diagonal(covariance));
          is(covariance / outer(deviations, deviations), {1, 2.5 / std::sqrt(19. / 3), 2.5 / std::sqrt(19. / 3), 1}));
}

TEST_CASE("NumPy's functions: where there are NaNs", "[numpy][gpu]") {
    const auto x = doubles({3, NAN, 5});
    NUMPY("nansum", is(nansum(x), {8}));
    NUMPY("nanprod", is(nanprod(x), {15}));
    NUMPY("nanmean", is(nanmean(x), {4}));
    NUMPY("nanmin", is(nanmin(x), {3}));
    NUMPY("nanmax", is(nanmax(x), {5}));
    NUMPY("nan_to_num", is(nan_to_num(x), {3, 0, 5}));
    NUMPY("nancumprod", is(cumprod(select(isnan(x), 1., x)), {3, 3, 15}));
    NUMPY("nancumsum", is(cumsum(select(isnan(x), 0., x)), {3, 3, 8}));
    NUMPY("nanvar", is(var(filter(not_nan, x)), {1}));
    NUMPY("nanstd", is(stddev(filter(not_nan, x)), {1}));
    NUMPY("nanmedian", is(median(filter(not_nan, x)), {4}));
    NUMPY("nanquantile, nanpercentile", is(quantile(filter(not_nan, x), 0.25), {3.5}));
    NUMPY("nanargmin", is(argmin(select(isnan(x), INFINITY, x)), {0}));
    NUMPY("nanargmax", is(argmax(select(isnan(x), -INFINITY, x)), {2}));
}

TEST_CASE("NumPy's functions: histograms and sets", "[numpy][gpu]") {
    const auto x = doubles({3, 1, 4, 1, 5}), edges = doubles({0, 2, 4, 6});
    const auto bin = [=](const auto& of) { return select(of == 6., Long(2), digitize(of, edges) - 1); };
    const auto ends = doubles({3, 6, 6.5, -1, 0});
    NUMPY("histogram", select(x == 6., 2, digitize(x, edges) - 1);
          is(histogram(3, std::plus<>{}, Long(0), bin(x), fill(shape(5), Long(1)), Outside::drop), {2, 1, 2});
          is(histogram(3, std::plus<>{}, Long(0), bin(ends), fill(shape(5), Long(1)), Outside::drop), {1, 1, 1}));
    NUMPY("histogram_bin_edges", is(linspace(0., 6., 4), {0, 2, 4, 6}));
    const auto places = zip(longs({0, 1, 1, 2}), longs({1, 0, 0, 1}));
    NUMPY("histogram2d",
          is(scatter(std::plus<>{}, fill(shape(2, 2), Long(0)), places, fill(shape(4), Long(1)), Outside::drop),
             {0, 1, 2, 0}));
    const auto cells = zip(longs({0, 1, 1}), longs({1, 0, 0}), longs({0, 0, 2}));
    NUMPY("histogramdd",
          is(scatter(std::plus<>{}, fill(shape(2, 2, 1), Long(0)), cells, fill(shape(3), Long(1)), Outside::drop),
             {0, 1, 1, 0}));
    NUMPY("bincount", is(bincount(longs({1, 0, 1}), 3), {1, 2, 0}));
    NUMPY("digitize", is(digitize(x, edges), {2, 1, 3, 1, 3}));
    NUMPY("searchsorted", is(searchsorted(edges, x), {2, 1, 2, 1, 3}));
    const auto a = longs({5, 2, 7, 2}), b = longs({2, 9, 5});
    NUMPY("unique, unique_values", is(unique(a), {2, 5, 7}));
    NUMPY("unique_counts", is(std::get<1>(unique_counts(a)), {2, 1, 1}));
    NUMPY("unique_inverse", is(std::get<1>(unique_inverse(a)), {1, 0, 2, 0}));
    NUMPY("unique_all", is(std::get<1>(unique_all(a)), {1, 0, 2}));
    NUMPY("isin", is(isin(a, b), {true, true, false, true}));
    NUMPY("union1d", is(union1d(a, b), {2, 5, 7, 9}));
    NUMPY("intersect1d", is(intersect1d(a, b), {2, 5}));
    NUMPY("setdiff1d", is(setdiff1d(a, b), {7}));
    NUMPY("setxor1d", is(setxor1d(a, b), {7, 9}));
    NUMPY("partition", is(gather(argpartition(x, 1), x), {1, 1, 3, 4, 5}));
    NUMPY("argpartition", is(argpartition(x, 1), {1, 3, 0, 2, 4}));
    NUMPY("lexsort", is(argsort(zip(longs({2, 1, 2, 1}), longs({0, 9, -1, 8}))), {3, 1, 2, 0}));
}

TEST_CASE("NumPy's functions: random numbers", "[numpy][gpu]") {
    const auto of = [](Long seed) { return key(seed); };
    const auto n = shape(1000);
    const auto between = [](const auto& a, double low, double high) {
        const auto [least, greatest, middle] = run(std::tuple(min(a), max(a), mean(cast<double>(a))));
        CHECK((low <= least.item() && greatest.item() <= high));
        return middle.item();
    };
    NUMPY("random.default_rng, random.seed",
          CHECK(run(sum(uniform<double>(key(1), n))).item() == run(sum(uniform<double>(of(1), n))).item()));
    NUMPY("random.random, random.rand", CHECK(between(uniform<double>(of(1), n), 0, 1) == Approx(0.5).margin(0.05)));
    NUMPY("random.uniform", CHECK(between(uniform<double>(of(1), n, 2., 4.), 2, 4) == Approx(3).margin(0.1)));
    NUMPY("random.normal, random.standard_normal, random.randn",
          CHECK(between(normal<double>(of(2), n), -6, 6) == Approx(0).margin(0.15)));
    NUMPY("random.integers, random.randint", CHECK(between(randint(of(3), n, 2, 5), 2, 4) == Approx(3).margin(0.15)));
    NUMPY("random.choice", CHECK(between(choice(of(4), longs({2, 3}), n), 2, 3) == Approx(2.5).margin(0.1)));
    NUMPY("random.permutation, random.shuffle", is(sort(permutation(of(5), longs({4, 2, 9}))), {2, 4, 9}));
    const auto numbers = [=](Long seed) { return uniform<double>(of(seed), n); };
    NUMPY("random.standard_exponential", CHECK(between(exponential<double>(of(20), n), 0, 50) == Approx(1).margin(0.2)));
    NUMPY("random.standard_gamma", CHECK(between(random::gamma<double>(of(21), 2., n), 0, 50) == Approx(2).margin(0.3)));
    NUMPY("random.lognormal",
          CHECK(between(exp(1. + 0.1 * normal<double>(of(22), n)), 1, 5) == Approx(std::exp(1.005)).margin(0.05)));
    const auto u = numbers(23) - 0.5;
    NUMPY("random.laplace", uniform<double>(of(23), n);
          CHECK(between(sign(u) * log1p(-2. * abs(u)), -40, 40) == Approx(0).margin(0.2)));
    NUMPY("random.logistic", CHECK(between(log(numbers(24)) - log1p(-numbers(24)), -40, 40) == Approx(0).margin(0.3)));
    NUMPY("random.gumbel", CHECK(between(-log(exponential<double>(of(25), n)), -40, 40) == Approx(0.5772).margin(0.2)));
    NUMPY("random.rayleigh", CHECK(between(sqrt(2. * exponential<double>(of(26), n)), 0, 40) == Approx(1.2533).margin(0.1)));
    NUMPY("random.weibull",
          CHECK(between(pow(exponential<double>(of(27), n), 1. / 2), 0, 40) == Approx(0.8862).margin(0.1)));
    NUMPY("random.pareto",
          CHECK(between(exp(exponential<double>(of(28), n) / 3.) - 1., 0, 1000) == Approx(0.5).margin(0.15)));
    NUMPY("random.geometric",
          CHECK(between(ceil(exponential<double>(of(29), n) / -std::log1p(-0.5)), 1, 100) == Approx(2).margin(0.2)));
    NUMPY("random.chisquare", CHECK(between(2. * random::gamma<double>(of(30), 1.5, n), 0, 100) == Approx(3).margin(0.4)));
    NUMPY("random.standard_cauchy",
          CHECK(run(median(tan(std::numbers::pi * (uniform<double>(of(31), n) - 0.5)))).item() == Approx(0).margin(0.2)));
    NUMPY("random.standard_t",
          CHECK(between(normal<double>(of(32), n) / sqrt(2. * random::gamma<double>(of(33), 4., n) / 8.), -40, 40) ==
                Approx(0).margin(0.15)));
    const auto v = run(numbers(34));
    NUMPY("random.triangular", CHECK(between(select(v < 0.25, sqrt(v * 0.25), 1. - sqrt((1. - v) * 0.75)), 0, 1) ==
                                     Approx(1.25 / 3).margin(0.03)));
    const auto shares = vmap([](auto g) { return g / sum(g); }, random::gamma<double>(of(35), 2., shape(1000, 4)));
    NUMPY("random.dirichlet", vmap([](auto g) { return g / sum(g); }, random::gamma<double>(of(35), 2., shape(10, 4)));
          CHECK(between(flatten(shares), 0, 1) == Approx(0.25)));
    NUMPY("random.multinomial", is(sum(bincount(choice(of(36), longs({0, 1, 2}), shape(1000)), 3)), {1000}));
    NUMPY("random.exponential", CHECK(between(exponential<double>(of(6), n), 0, 50) == Approx(1).margin(0.2)));
    NUMPY("random.poisson", CHECK(between(poisson(of(7), 3., n), 0, 30) == Approx(3).margin(0.3)));
    NUMPY("random.gamma", CHECK(between(random::gamma<double>(of(8), 2., n), 0, 50) == Approx(2).margin(0.3)));
    const auto g = random::gamma<double>(of(9), 2., n), h = random::gamma<double>(of(10), 2., n);
    NUMPY("random.beta", random::gamma<double>(of(9), 2., n); CHECK(between(g / (g + h), 0, 1) == Approx(0.5).margin(0.05)));
    NUMPY("random.binomial",
          CHECK(between(count(uniform<double>(of(11), shape(1000, 10)) < 0.5), 0, 10) == Approx(5).margin(0.3)));
    const Array<double, 2> covariance = from(Doubles{4, 2, 2, 5}, shape(2, 2));
    const auto normals = run(matmul(normal<double>(of(12), shape(4000, 2)), transpose(cholesky(covariance))));
    NUMPY("random.multivariate_normal", normal<double>(of(12), shape(4000, 2)); transpose(cholesky(covariance));
          CHECK(run(matmul(transpose(normals), normals) / 4000.).data()[1] == Approx(2).margin(0.3)));
}
