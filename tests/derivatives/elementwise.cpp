// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of scalar functions, in maps.
#include "derivatives/support.hpp"

using namespace derivatives;

TEST_CASE("derivatives of arithmetic", "[derivatives]") {
    check([](D1 x) { return map([](auto a) { return a * a + 3 / (a + 4) - a; }, x); });
    check([](D1 x) { return map([](auto a, auto b) { return sinter::fma(a, b, a) - a / (b + 3); }, x, reverse(x)); });
    check([](D1 x) { return map([](auto a) { return abs(a) + min(a, 0.2) * max(a, -0.3); }, x); });
    check([](D1 x) { return map([](auto a) { return select(a > 0.1, a * a, sin(a)); }, x); });
    check([](D1 x) { return map([](auto a) { return (a * 7.0) % 1.3 + floor(a) * a; }, x); });
    check([](D1 x) { return map([](auto a) { return cast<double>(cast<float>(a)) * a; }, x); },
          {.differences = false, .tolerance = 1e-6});
}

TEST_CASE("derivatives of mathematical functions", "[derivatives]") {
    const Inputs positive{.low = 0.2, .high = 0.9};
    check([](D1 x) { return map([](auto a) { return exp(a) + exp2(a) * expm1(a); }, x); });
    check([](D1 x) { return map([](auto a) { return log(a) + log2(a) + log10(a) + log1p(a); }, x); }, positive);
    check([](D1 x) { return map([](auto a) { return sin(a) * cos(a) + tan(a); }, x); });
    check([](D1 x) { return map([](auto a) { return asin(a) + acos(a * 0.5) * atan(a); }, x); });
    check([](D1 x) { return map([](auto a) { return atan2(a, a + 2) + hypot(a, a + 1); }, x); });
    check([](D1 x) { return map([](auto a) { return sinh(a) * cosh(a) + tanh(a); }, x); });
    check([](D1 x) { return map([](auto a) { return asinh(a) + acosh(a + 2.5) + atanh(a * 0.7); }, x); });
    check([](D1 x) { return map([](auto a) { return sqrt(a) + cbrt(a) + pow(a, a + 1) + pow(a, 2.0); }, x); }, positive);
    check([](D1 x) { return map([](auto a) { return erf(a) + erfc(a * 2) * copysign(a, a - 0.5); }, x); }, positive);
    check([](D1 x) { return map([](auto a) { return lgamma(a * 5) + tgamma(a * 3 + 1); }, x); }, positive);
}

TEST_CASE("derivatives of functions that capture", "[derivatives]") {
    check([](D1 x) {
        auto total = sum(x);
        return map([&](auto a) { return a * total(); }, x);
    });
    check([](D1 x) { return generate(shape(size(x)), [&](auto i) { return x(i) * x((i * 3 + 1) % size(x)); }); });
    check([](D1 x) { return generate(shape(size(x)), [&](auto i) { return x(i / 2) * x(0); }); });
}

TEST_CASE("derivatives of functions with branches", "[derivatives]") {
    check([](D1 x) {
        return map(
            [](auto a) {
                return cond(
                    a > 0.0, [&] { return a * a * sin(a); },
                    [&] { return cond(a > -0.5, [&] { return a; }, [&] { return a * 3; }); });
            },
            x);
    });
    check([](D1 x) {
        return generate(shape(size(x)), [&](auto i) {
            return cond(
                i % 2 == 0, [&] { return x(i) * x(0); },
                [&] { return cond(i > 4, [&] { return x(1); }, [&] { return 2 * x(i); }); });
        });
    });
}

TEST_CASE("what is masked has no derivative", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{-1, 0, 4});
    auto root = [](D1 x) { return sum(map([](auto a) { return select(a > 0.0, sqrt(a), 0.0 * a); }, x)); };
    CHECK(run(grad(root)(x)).to_vector() == std::vector<double>{0, 0, 0.25});
    auto norm = [](D1 x) { return sum(map([](auto a) { return hypot(a, 0.0 * a); }, x)); };
    CHECK(run(grad(norm)(from(std::vector<double>{0, 3}))).to_vector() == std::vector<double>{0, 1});
}

TEST_CASE("derivatives stop where they are told to", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{1, 2, 3});
    auto f = [](D1 x) { return sum(map([](auto a, auto b) { return a * b; }, x, stop_gradient(x))); };
    CHECK(run(grad(f)(x)).to_vector() == std::vector<double>{1, 2, 3});
    auto g = [](D1 x) { return sum(map([](auto a) { return cast<double>(cast<int>(a)) * a; }, x)); };
    CHECK(run(grad(g)(x)).to_vector() == std::vector<double>{1, 2, 3});
}

TEST_CASE("derivatives where a product with something infinite is not used", "[derivatives]") {
    const Array<double> at = from(std::vector<double>{0, 0.5, -1, 1000});
    auto entropy = [](Delayed<double> x) {
        return sum(map([](Exp<double> a) { return select(a > 0, a * log(a), 0.0); }, x));
    };
    auto softplus = [](Delayed<double> x) {
        return sum(map([](Exp<double> a) { return select(a > 30, a, log1p(exp(a))); }, x));
    };
    const Array<double> slopes = run(grad(entropy)(at)), steep = run(grad(softplus)(at));
    CHECK(slopes(0) == 0);
    CHECK(slopes(1) == Approx(std::log(0.5) + 1));
    CHECK(slopes(2) == 0);
    CHECK(steep(0) == Approx(0.5));
    CHECK(steep(3) == 1);
    auto masked = [](Delayed<double> x) {
        return sum(map([](Exp<double> a) { return select(a > 0, a * sqrt(a), 0.3 * a * a); }, x));
    };
    const Array<double> ones = from(std::vector<double>{1, 1, 1, 1});
    auto along = [&](Delayed<double> x) { return sum(hvp(masked, primals(x), tangents(ones))); };
    const Array<double> third = run(grad(along)(at));  // of a sqrt(a): -3/8 a^(-3/2)
    CHECK(third(1) == Approx(-0.375 * std::pow(0.5, -1.5)));
    CHECK(third(2) == 0);
}
