// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars: floats. What the C++ library has is compared with it.
#include "operations/support.hpp"

#include <sinter/numeric.hpp>

#include <complex>
#include <limits>
#include <numbers>

using namespace operations;

#define AGREES(name, ...) agrees([](auto x) { return name(x); }, [](double x) { return std::name(x); }, __VA_ARGS__)

namespace {

const std::vector<double> positive = {0.125, 1, 2.5, 40}, reals = {-2.5, -0.75, 0.5, 3, 20}, fractions = {-0.75, 0.25, 0.9};

}  // namespace

OPERATION("Scalars: floats", "roots") {
    AGREES(sqrt, positive);
    AGREES(cbrt, reals);
    agrees([](auto x) { return rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }, positive);
}

OPERATION("Scalars: floats", "exponentials and logarithms") {
    AGREES(exp, reals);
    AGREES(exp2, reals);
    AGREES(expm1, reals);
    AGREES(log, positive);
    AGREES(log2, positive);
    AGREES(log10, positive);
    AGREES(log1p, positive);
}

OPERATION("Scalars: floats", "logarithm to a base") {
    nearly_gives(map([](auto x, auto base) { return log(x) / log(base); }, from({8.0, 81.0}), from({2.0, 3.0})), {3, 4});
}

OPERATION("Scalars: floats", "power") {
    nearly_gives(map([](auto x, auto y) { return pow(x, y); }, from({2.0, -2.0, 9.0, 0.0}), from({10.0, 3.0, 0.5, 0.0})),
                 {1024, -8, 3, 1});
}

OPERATION("Scalars: floats", "trigonometric") {
    AGREES(sin, reals);
    AGREES(cos, reals);
    AGREES(tan, reals);
    AGREES(asin, fractions);
    AGREES(acos, fractions);
    AGREES(atan, reals);
    agrees([](auto y) { return atan2(y, -2.0); }, [](double y) { return std::atan2(y, -2.0); }, reals);
    agrees([](auto x) { return x * std::numbers::pi; }, [](double x) { return x * std::numbers::pi; }, reals);
}

OPERATION("Scalars: floats", "hyperbolic") {
    AGREES(sinh, reals);
    AGREES(cosh, reals);
    AGREES(tanh, reals);
    AGREES(asinh, reals);
    AGREES(acosh, {1, 1.5, 30});
    AGREES(atanh, fractions);
}

OPERATION("Scalars: floats", "complex numbers") {
    using C = std::complex<double>;
    const std::vector<C> numbers{{1, 2}, {-0.5, 0.25}, {3, -4}};
    const auto close = [&](const auto& e, auto exact) {
        const auto made = run(e).to_vector();
        for (std::size_t i = 0; i < numbers.size(); ++i)
            CHECK(std::abs(made[i] - exact(numbers[i])) <= 1e-14 * std::abs(exact(numbers[i])));
    };
    const Array<C> z = from(numbers);
    close(z + C(0, 1), [](C x) { return x + C(0, 1); });
    close(z * z, [](C x) { return x * x; });
    close(exp(z), [](C x) { return std::exp(x); });
    close(log(z), [](C x) { return std::log(x); });
    close(sqrt(z), [](C x) { return std::sqrt(x); });
    close(pow(z, C(0.5, 1)), [](C x) { return std::pow(x, C(0.5, 1)); });
    close(sin(z), [](C x) { return std::sin(x); });
    close(abs(z), [](C x) { return std::abs(x); });
    close(arg(z), [](C x) { return std::arg(x); });
    close(conj(z), [](C x) { return std::conj(x); });
    close(polar(abs(z), arg(z)), [](C x) { return x; });
}

OPERATION("Scalars: floats", "error function") {
    AGREES(erf, reals);
    AGREES(erfc, reals);
}

OPERATION("Scalars: floats", "gamma function") {
    // of the C++ library's tgamma only these are as accurate as needed here
    const double pi = std::numbers::pi;
    nearly_gives(tgamma(from({1.0, 5.0, 0.5, -0.5})), {1, 24, std::sqrt(pi), -2 * std::sqrt(pi)});
    AGREES(lgamma, positive);
    gives(map([](auto x) { return isnan(tgamma(x)) && isinf(lgamma(x)); }, from({-1.f, -2.f})), {true, true});
}

OPERATION("Scalars: floats", "length of a hypotenuse") {
    nearly_gives(hypot(from({3.0, 3e200}), from({4.0, 4e200})), {5, 5e200});
}

OPERATION("Scalars: floats", "rounding") {
    const std::vector<double> halves = {-2.5, -1.5, -0.25, 0.5, 2.5, 3.75};
    AGREES(trunc, halves);
    AGREES(rint, halves);
    AGREES(ceil, halves);
    AGREES(floor, halves);
    AGREES(round, halves);
    gives(map([](auto x) { return cast<int>(floor(x)); }, from(halves)), {-3, -2, -1, 0, 2, 3});
}

OPERATION("Scalars: floats", "whole and fractional part") {
    Array<double> a = from({-2.75, 0.5, 3.0});
    gives(map([](auto x) { return trunc(x); }, a), {-2, 0, 3});
    gives(map([](auto x) { return x - trunc(x); }, a), {-0.75, 0.5, 0});
}

OPERATION("Scalars: floats", "interpolation, fused and plain multiply-add") {
    gives(map([](auto a, auto b, auto t) { return lerp(a, b, t); }, from({1.0, 1.0}), from({3.0, 3.0}), from({0.25, 1.0})),
          {1.5, 3});
    const double third = 1.0 / 3;
    gives(map([](auto a, auto b, auto c) { return fma(a, b, c); }, from({third}), from({3.0}), from({-1.0})), {-0x1p-54});
    gives(map([](auto a, auto b, auto c) { return a * b + c; }, from({third}), from({3.0}), from({-1.0})), {0});
}

OPERATION("Scalars: floats", "kinds of numbers") {
    Array<double> a = from({1.0, HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()});
    gives(map([](auto x) { return isnan(x); }, a), {false, false, false, true});
    gives(map([](auto x) { return isinf(x); }, a), {false, true, true, false});
    gives(map([](auto x) { return isfinite(x); }, a), {true, false, false, false});
}

OPERATION("Scalars: floats", "subnormal, negative zero") {
    Array<float> a = from({1.f, 0x1p-140f, 0.f, -0.f});
    gives(map([](auto x) { return x != 0 && abs(x) < std::numeric_limits<float>::min(); }, a), {false, true, false, false});
    gives(map([](auto x) { return bit_cast<std::uint32_t>(x) == 0x80000000u; }, a), {false, false, false, true});
}

OPERATION("Scalars: floats", "constants of the representation") {
    gives(map([](auto x) { return x + std::numeric_limits<float>::epsilon(); }, from({1.f})), {0x1.000002p0f});
}

OPERATION("Scalars: floats", "parts of the representation") {
    gives(ldexp(from({1.5f, 3.f}), from({4, -2})), {24.f, 0.75f});
    const auto [fraction, exponent] = frexp(from({1.f, 10.f, 0.25f}));
    gives(fraction, {0.5f, 0.625f, 0.5f});
    gives(exponent, {1, 4, -1});
}

OPERATION("Scalars: floats", "sign of another number") {
    gives(map([](auto x, auto y) { return copysign(x, y); }, from({2.0, 2.0}), from({-0.0, 3.0})), {-2, 2});
}

OPERATION("Scalars: floats", "next representable number") {
    gives(nextafter(from({1.f, 0.f, 1.f}), from({2.f, 1.f, 0.f})), {0x1.000002p0f, 0x1p-149f, 0x1.fffffep-1f});
}
