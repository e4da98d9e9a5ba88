// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums with bounds on their errors, against sums of long doubles whose own errors are corrected.
#include "conform/support.hpp"

#include <limits>
#include <random>

using namespace sinter;

namespace {

struct Exact {
    long double sum, magnitude;  ///< of the elements, of their absolute values
};

/// As Neumaier adds, in long double: the error is far below every bound.
template <class T>
Exact exact_sum(const std::vector<T>& values) {
    long double sum = 0, lost = 0, magnitude = 0;
    for (T value : values) {
        const long double x = static_cast<long double>(value), next = sum + x;
        lost += std::fabs(sum) >= std::fabs(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
        magnitude += std::fabs(x);
    }
    return {sum + lost, magnitude};
}

template <class T>
long double unit_roundoff() {
    return std::numeric_limits<T>::epsilon() / 2;
}

/// Numbers of very different size, whose sum is small: each comes with its negative, a little changed.
template <class T>
std::vector<T> cancelling(std::int64_t n) {
    std::mt19937 generator(static_cast<unsigned>(n));
    std::uniform_real_distribution<double> mantissa(-1, 1), exponent(0, 20);
    std::vector<T> values;
    for (std::int64_t i = 0; i < n; ++i) {
        const bool is_odd = i % 2 != 0;
        const double fresh = mantissa(generator) * std::exp2(exponent(generator));
        values.push_back(is_odd ? -values.back() * static_cast<T>(1 + 1e-5 * mantissa(generator)) : static_cast<T>(fresh));
    }
    std::shuffle(values.begin(), values.end(), generator);
    return values;
}

long double levels(std::int64_t n) {
    long double count = 0;
    for (; n > 1; n = (n + 15) / 16) ++count;
    return count;
}

template <class T, class E>
void check_bound(const E& expression, const Exact& exact, long double bound) {
    std::vector<Options> all{{.target = Target::interpreter()}};
    for (Target target : conform::targets())
        for (Fusion fusion : conform::strategies) all.push_back({.target = target, .fusion = fusion});
    for (const Options& options : all) {
        const auto result = static_cast<long double>(run(expression, options).item());
        CAPTURE(static_cast<double>(result), static_cast<double>(exact.sum), static_cast<double>(bound));
        CHECK(std::fabs(result - exact.sum) <= bound);
    }
}

const std::int64_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 100, 255, 256, 257, 4099, 100003};

}  // namespace

TEMPLATE_TEST_CASE("accurate sums keep their bounds", "[accurate]", float, double) {
    const long double u = unit_roundoff<TestType>();
    for (std::int64_t n : sizes) {
        const std::vector<TestType> values = cancelling<TestType>(n);
        const Exact exact = exact_sum(values);
        const auto count = static_cast<long double>(n);
        Array<TestType> a = from(values);
        CAPTURE(n);
        check_bound<TestType>(sum(a, pairwise), exact, 4 * levels(n) * u * exact.magnitude * 1.001L);
        check_bound<TestType>(sum(a, compensated), exact,
                              (u * std::fabs(exact.sum) + 8 * count * u * u * exact.magnitude) * 1.001L);
    }
}

TEST_CASE("compensated sums are as exact as their type", "[accurate]") {
    std::vector<float> values(1 << 20, 0.1f);
    Array<float> a = from(values);
    const float nearest = static_cast<float>(static_cast<double>(0.1f) * (1 << 20));
    CHECK(conform::everywhere(sum(a, compensated)).item() == nearest);
    CHECK(std::fabs(conform::everywhere(sum(a, pairwise)).item() - nearest) <= 5 * 4 * unit_roundoff<float>() * nearest);
    Array<double> lost = from({1e16, 1., -1e16, 1.});
    CHECK(conform::everywhere(sum(lost, compensated)).item() == 2);
    Array<double> tiny = from({1., 1e100, 1., -1e100});
    CHECK(conform::everywhere(sum(tiny, compensated)).item() == 2);
}

TEST_CASE("accurate sums along axes", "[accurate]") {
    Array<double, 3> a =
        run(generate(shape(3, 40, 5), [](auto i, auto j, auto k) { return cast<double>(i * 100 + j * j - 7 * k); }));
    CHECK(conform::everywhere(sum(a, axis(1), pairwise)).to_vector() == run(sum(a, axis(1))).to_vector());
    CHECK(conform::everywhere(sum(a, axes(0, 2), pairwise)).to_vector() == run(sum(a, axes(0, 2))).to_vector());
    CHECK(conform::everywhere(sum(a, axes(0, 1, 2), pairwise)).item() == run(sum(flatten(a))).item());
    CHECK(conform::everywhere(sum(a, axis(0), compensated)).to_vector() == run(sum(a, axis(0))).to_vector());
    CHECK(conform::everywhere(sum(a, axes(1, 2), compensated)).to_vector() == run(sum(a, axes(1, 2))).to_vector());
    Array<float, 2> none = from(std::vector<float>{}, shape(3, 0));
    CHECK(conform::everywhere(sum(none, pairwise)).to_vector() == std::vector<float>{0, 0, 0});
    CHECK(conform::everywhere(sum(none, compensated)).to_vector() == std::vector<float>{0, 0, 0});
    CHECK_THROWS_AS(sum(a, axis(3), pairwise), UsageError);
    CHECK_THROWS_AS(sum(a, axis(3), compensated), UsageError);
}

TEST_CASE("accurate sums of halves, infinities, NaNs, and inside programs", "[accurate]") {
    Array<half> h = run(fill(shape(4096), half(0.1f)));
    const float expected = static_cast<float>(half(static_cast<float>(half(0.1f)) * 4096));
    CHECK(static_cast<float>(conform::everywhere(sum(h, compensated)).item()) == expected);
    CHECK(static_cast<float>(conform::everywhere(sum(h, pairwise)).item()) == expected);
    const double infinity = std::numeric_limits<double>::infinity();
    Array<double> large = from({1., infinity, 2.}), both = from({infinity, 1., -infinity}), over = from({1e308, 1e308, 1.});
    for (const Array<double>& a : {large, over}) {
        CHECK(conform::everywhere(sum(a, compensated)).item() == infinity);
        CHECK(conform::everywhere(sum(a, pairwise)).item() == infinity);
    }
    CHECK(std::isnan(conform::everywhere(sum(both, compensated)).item()));
    CHECK(std::isnan(conform::everywhere(sum(both, pairwise)).item()));
    Array<double, 2> m = run(generate(shape(20, 37), [](auto i, auto j) { return cast<double>(i * j); }));
    CHECK(conform::everywhere(vmap([](Delayed<double> row) { return sum(row, compensated); }, m)).to_vector() ==
          run(sum(m)).to_vector());
    CHECK(conform::everywhere(vmap([](Delayed<double> row) { return sum(row, pairwise); }, m)).to_vector() ==
          run(sum(m)).to_vector());
    auto total = compile([](Delayed<double, 2> x) { return sum(sum(x, pairwise), compensated); });
    CHECK(total(m).item() == run(sum(flatten(m))).item());
    auto f = [](Delayed<double> x) { return sum(x * x, compensated); };
    CHECK(run(grad(f)(from({1., 2.}))).to_vector() == std::vector<double>{2, 4});
}
