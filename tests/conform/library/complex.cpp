// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics of complex numbers against std::complex<long double>, and the same bits on every target.
#include "conform/support.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <limits>

using namespace sinter;
using namespace conform;

namespace {

using Exact = std::complex<long double>;

/// All pairs of parts: signed zeros, both sides of the cuts, near and far from 1 and i.
template <class F>
std::vector<std::complex<F>> plane() {
    const std::vector<F> parts{F(0),     F(-0.0), F(1),   F(-1),    F(0.5),  F(-0.3),  F(2.5),    F(-3),
                               F(0.001), F(12),   F(-12), F(1e-20), F(1e10), F(-1e15), F(0.9999), F(1.0001)};
    std::vector<std::complex<F>> numbers;
    for (F x : parts)
        for (F y : parts) numbers.emplace_back(x, y);
    return numbers;
}

template <class F>
bool is_finite(std::complex<F> z) {
    return std::isfinite(z.real()) && std::isfinite(z.imag());
}

/// True if both have one sign, zeros too, unless what is left of a cancellation is exactly 0.
template <class F>
bool same_side(F actual, F wanted, long double unit) {
    return std::signbit(actual) == std::signbit(wanted) || (wanted != 0 && std::abs(wanted) < unit);
}

/// `e` on all targets, and its distance from the exact values, relative to their size; the signs of zeros say on which side
/// of a cut a value lies.
template <class F, class E>
void require_close(const E& e, const std::function<Exact(Exact)>& exact, double ulps) {
    const auto actual = everywhere(e).to_vector();
    const auto numbers = plane<F>();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Exact wanted = exact(Exact(numbers[i]));
        const std::complex<F> rounded(static_cast<F>(wanted.real()), static_cast<F>(wanted.imag()));
        if (!is_finite(rounded)) continue;
        CAPTURE(numbers[i], actual[i], rounded);
        const long double unit = std::numeric_limits<F>::epsilon() * std::abs(wanted) + std::numeric_limits<F>::min();
        REQUIRE(std::abs(Exact(actual[i]) - wanted) <= ulps * unit);
        REQUIRE(same_side(actual[i].real(), rounded.real(), unit));
        REQUIRE(same_side(actual[i].imag(), rounded.imag(), unit));
    }
}

}  // namespace

#define CLOSE(name, ulps) require_close<F>(name(z), [](Exact x) { return std::name(x); }, ulps)

TEMPLATE_TEST_CASE("elementary functions of complex numbers", "[complex]", float, double) {
    using F = TestType;
    const Array<std::complex<F>> z = from(plane<F>());
    CLOSE(exp, 4);
    CLOSE(log, 4);
    CLOSE(log10, 4);
    CLOSE(sqrt, 4);
    CLOSE(sin, 4);
    CLOSE(cos, 4);
    CLOSE(tan, 8);
    CLOSE(sinh, 4);
    CLOSE(cosh, 4);
    CLOSE(tanh, 8);
}

TEMPLATE_TEST_CASE("inverse functions of complex numbers", "[complex]", float, double) {
    using F = TestType;
    const Array<std::complex<F>> z = from(plane<F>());
    CLOSE(asin, 8);
    CLOSE(acos, 8);
    CLOSE(atan, 8);
    CLOSE(asinh, 8);
    CLOSE(acosh, 8);
    CLOSE(atanh, 8);
}

TEMPLATE_TEST_CASE("powers of complex numbers", "[complex]", float, double) {
    using F = TestType;
    using C = std::complex<F>;
    std::vector<C> bases;
    for (C z : plane<F>())
        if (std::abs(z) > F(1e-6) && std::abs(z) < F(1e6)) bases.push_back(z);
    const Array<C> z = from(bases);
    const auto near = [&](const auto& e, auto exact) {
        const auto actual = everywhere(e).to_vector();
        for (std::size_t i = 0; i < bases.size(); ++i) {
            const Exact wanted = exact(Exact(bases[i]));
            CAPTURE(bases[i], actual[i], wanted);
            REQUIRE(std::abs(Exact(actual[i]) - wanted) <= 64 * std::numeric_limits<F>::epsilon() * std::abs(wanted));
        }
    };
    near(pow(z, F(1.5)), [](Exact x) { return std::pow(x, Exact(1.5L)); });
    near(pow(z, 2), [](Exact x) { return x * x; });
    near(pow(z, C(F(0.5), F(0.25))), [](Exact x) { return std::pow(x, Exact(0.5L, 0.25L)); });
    near(pow(F(2), map([](auto x) { return x / 64; }, z)), [](Exact x) { return std::pow(Exact(2), x / 64.L); });
    const Array<C> zeros = from(std::vector<C>{0, 0, 0});
    const Array<C> powers = from(std::vector<C>{0, 2, C(F(0.5), 3)});
    require_same(std::vector<C>{1, 0, 0}, everywhere(pow(zeros, powers)).to_vector());
}

TEMPLATE_TEST_CASE("complex numbers at infinity, and from their polar form", "[complex]", float, double) {
    using F = TestType;
    using C = std::complex<F>;
    const F infinity = std::numeric_limits<F>::infinity(), most = std::numeric_limits<F>::max();
    const auto value = [](const auto& e) { return everywhere(e).to_vector()[0]; };
    const auto of = [](F x, F y) { return from(std::vector<C>{{x, y}}); };
    CHECK(value(exp(of(infinity, 0))) == C(infinity, 0));
    CHECK(value(exp(of(-infinity, infinity))) == C(0, 0));
    CHECK(value(log(of(0, 0))) == C(-infinity, 0));
    CHECK(value(log(of(infinity, -infinity))).real() == infinity);
    CHECK(value(log(of(most, most))).real() == std::log(most) + std::log(F(2)) / 2);
    CHECK(value(sqrt(of(-infinity, 1))) == C(0, infinity));
    CHECK(value(sqrt(of(1, infinity))) == C(infinity, infinity));
    CHECK(value(sqrt(of(most, most))).real() == std::sqrt(C(most, most)).real());
    CHECK(value(tanh(of(infinity, 1))) == C(1, 0));
    CHECK(value(real(sinh(of(0, infinity)))) == 0);
    CHECK(value(atanh(of(1, 0))).real() == infinity);
    const auto turned = value(polar(from(std::vector<F>{2}), from(std::vector<F>{1})));
    CHECK(std::abs(turned - std::polar(F(2), F(1))) <= 2 * std::numeric_limits<F>::epsilon());
}

TEST_CASE("gradients go through functions of complex numbers", "[complex]") {
    const auto energy = [](const Delayed<double>& x) {
        return sum(map(
            [](auto v) {
                return norm(exp(record<std::complex<double>>(v, 2 * v)) * sqrt(record<std::complex<double>>(v, 1.0)));
            },
            x));
    };
    const std::vector<double> at{0.3, -1.2, 2};
    const auto gradient = everywhere(grad(energy)(from(at))).to_vector();
    for (std::size_t i = 0; i < at.size(); ++i) {  // e^(2 v) sqrt(v^2 + 1)
        const double root = std::sqrt(at[i] * at[i] + 1), wanted = std::exp(2 * at[i]) * (2 * root + at[i] / root);
        CHECK(std::abs(gradient[i] - wanted) <= 1e-12 * std::abs(wanted));
    }
}
