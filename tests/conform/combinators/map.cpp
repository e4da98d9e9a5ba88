// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise operations: element types x sizes x ranks, against C++ and across targets.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

#define NUMBERS                                                                                                       \
    std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, \
        float, double

TEMPLATE_TEST_CASE("arithmetic on arrays of every number type", "[map]", NUMBERS) {
    using T = TestType;
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto hx = numbers<T>(n), hy = numbers<T>(n, 2);
        Array<T> x = from(hx), y = from(hy);
        auto result = everywhere(x * y + x - y).to_vector();
        for (std::size_t i = 0; i < hx.size(); ++i) {
            REQUIRE(result[i] == static_cast<T>(static_cast<T>(hx[i] * hy[i] + hx[i]) - hy[i]));
        }
    }
}

TEMPLATE_TEST_CASE("comparison and select of every number type", "[map]", NUMBERS) {
    using T = TestType;
    for (auto n : {0, 1, 9, 33, 1000}) {
        CAPTURE(n);
        auto hx = numbers<T>(n), hy = numbers<T>(n, 3);
        Array<T> x = from(hx), y = from(hy);
        auto result = everywhere(select(x < y, x, y)).to_vector();
        for (std::size_t i = 0; i < hx.size(); ++i) REQUIRE(result[i] == std::min(hx[i], hy[i]));
        everywhere(x == y);
        everywhere(x >= y);
    }
}

TEMPLATE_TEST_CASE("conversion from every number type", "[map]", NUMBERS) {
    using T = TestType;
    Array<T> x = from(numbers<T>(1000));
    everywhere(map([](Exp<T> v) { return cast<float>(v); }, x));
    everywhere(map([](Exp<T> v) { return cast<double>(v); }, x));
    everywhere(map([](Exp<T> v) { return cast<std::int8_t>(v); }, x));
    everywhere(map([](Exp<T> v) { return cast<std::uint16_t>(v); }, x));
    everywhere(map([](Exp<T> v) { return cast<std::int32_t>(v); }, x));
    everywhere(map([](Exp<T> v) { return cast<std::uint64_t>(v); }, x));
    everywhere(map([](Exp<T> v) { return cast<bool>(v); }, x));
}

TEMPLATE_TEST_CASE("integer division and remainder truncate", "[map]", std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
    using T = TestType;
    std::vector<T> ha, hb;
    for (int a = -20; a <= 20; ++a) {
        for (int b : {-7, -3, -1, 1, 2, 3, 10, 100}) {
            ha.push_back(static_cast<T>(a));
            hb.push_back(static_cast<T>(b));
        }
    }
    if constexpr (std::is_signed_v<T>) {
        ha.push_back(std::numeric_limits<T>::min());
        hb.push_back(static_cast<T>(-1));
    }
    Array<T> a = from(ha), b = from(hb);
    auto q = everywhere(a / b).to_vector();
    auto r = everywhere(a % b).to_vector();
    for (std::size_t i = 0; i + 1 < ha.size(); ++i) {
        REQUIRE(q[i] == static_cast<T>(ha[i] / hb[i]));
        REQUIRE(r[i] == static_cast<T>(ha[i] % hb[i]));
    }
    if constexpr (std::is_signed_v<T>) {
        REQUIRE(q.back() == std::numeric_limits<T>::min());
        REQUIRE(r.back() == 0);
    }
}

TEST_CASE("floating-point edge values", "[map]") {
    float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> values = {0.f,    -0.f,  1.f,    -1.f, 0.5f, -0.5f, 1.5f,      2.5f,  -2.5f,
                                 1e-45f, 3e38f, -3e38f, inf,  -inf, nan,   8388609.f, 1e10f, -1e20f};
    std::vector<float> ha, hb;
    for (float a : values) {
        for (float b : values) {
            ha.push_back(a);
            hb.push_back(b);
        }
    }
    Array<float> a = from(ha), b = from(hb);
    everywhere(a / b);
    everywhere(map([](auto x, auto y) { return min(x, y); }, a, b));
    everywhere(map([](auto x, auto y) { return max(x, y); }, a, b));
    everywhere(map([](auto x, auto y) { return fmin(x, y); }, a, b));
    everywhere(map([](auto x, auto y) { return fmax(x, y); }, a, b));
    everywhere(map([](auto x, auto y) { return copysign(x, y); }, a, b));
    everywhere(sqrt(a));
    everywhere(floor(a));
    everywhere(ceil(a));
    everywhere(trunc(a));
    everywhere(round(a));
    everywhere(abs(a));
    everywhere(-a);
    everywhere(map([](Exp<float> x) { return cast<std::int32_t>(x); }, a));
    everywhere(map([](Exp<float> x) { return cast<std::uint8_t>(x); }, a));
    everywhere(map([](Exp<float> x) { return cast<std::int64_t>(x); }, a));
    everywhere(map([](Exp<float> x) { return bit_cast<std::uint32_t>(x); }, a));
}

TEST_CASE("mathematics agrees to the last bit", "[map][math]") {
    std::vector<float> hx;
    for (int i = -400; i <= 400; ++i) hx.push_back(static_cast<float>(i) * 0.37f);
    for (float big : {1e5f, -3e7f, 1e20f, 3e38f}) hx.push_back(big);
    Array<float> x = from(hx);
    Array<double> d = run(map([](Exp<float> v) { return cast<double>(v); }, x));
    auto all = [](auto a) {
        everywhere(exp(a));
        everywhere(log(a));
        everywhere(sin(a));
        everywhere(cos(a));
        everywhere(tan(a));
        everywhere(atan(a));
        everywhere(tanh(a));
        everywhere(erf(a));
        everywhere(erfc(a));
        everywhere(tgamma(a));
        everywhere(lgamma(a));
        everywhere(exp2(a));
        everywhere(log1p(a));
        everywhere(cbrt(a));
    };
    all(x);
    all(d);
}

TEST_CASE("ranks and views", "[map][view]") {
    for (std::int64_t rows : {0, 1, 3, 17}) {
        for (std::int64_t columns : {0, 1, 5, 33, 130}) {
            CAPTURE(rows, columns);
            Array<float, 2> a = from(numbers<float>(rows * columns), shape(rows, columns));
            Array<float, 2> b = from(numbers<float>(rows * columns, 4), shape(columns, rows));
            Array<float> v = from(numbers<float>(columns, 5));
            everywhere(a + a);
            everywhere(a + transpose(b));
            everywhere(transpose(a));
            everywhere(a * replicate(rows, v));
            everywhere(reverse(a, 0) + reverse(a, 1));
            everywhere(reshape(a, shape(columns, rows)) * b);
            everywhere(flatten(transpose(a)));
            everywhere(map_indexed([](auto i, auto j, auto x) { return x + cast<float>(i * 3 + j); }, a));
            if (rows > 2 && columns > 4) everywhere(slice(a, range(1, rows, 2), range(0, columns, 3)));
        }
    }
    Array<std::int32_t, 3> c = from(numbers<std::int32_t>(4 * 5 * 6), shape(4, 5, 6));
    everywhere(c * 2 + c);
    everywhere(transpose(c, {2, 0, 1}));
    everywhere(transpose(c, {1, 2, 0}) + 1);
}

TEST_CASE("divergent control flow", "[map][control]") {
    for (auto n : edge_sizes) {
        auto collatz = generate(shape(n), [](Exp<std::int64_t> i) {
            auto [x, steps] =
                while_loop([](auto v, auto) { return v > 1; },
                           [](auto v, auto s) { return std::tuple(select(v % 2 == 0, v / 2, 3 * v + 1), s + 1); }, i + 1,
                           Exp<std::int32_t>(0));
            return steps + cast<std::int32_t>(x);
        });
        everywhere(collatz);
        Array<float> x = from(numbers<float>(n));
        everywhere(map(
            [](Exp<float> v) {
                return cond(
                    v > 0.f, [=] { return sqrt(v) + 1.f; },
                    [=] { return for_loop(5, [](auto, auto s) { return s * 2.f; }, v); });
            },
            x));
    }
}

TEST_CASE("reads at computed indices and gathers", "[map][gather]") {
    for (auto n : {1, 5, 8, 33, 1000}) {
        Array<float> table = from(numbers<float>(n));
        Array<std::int64_t> index = run(map([n](Exp<std::int64_t> i) { return (i * 7 + 3) % n; }, iota(n)));
        everywhere(gather(index, table));
        everywhere(map([&](Exp<std::int64_t> i) { return table(i) * 2.f; }, index));
        everywhere(gather(index, table * 3.f + 1.f));
    }
}

TEST_CASE("products of elements", "[map][product]") {
    for (auto n : {0, 1, 8, 33, 1000}) {
        Array<float> x = from(numbers<float>(n));
        Array<std::int32_t> y = from(numbers<std::int32_t>(n, 2));
        auto z = zip(x, y);
        auto swapped = map([](auto a, auto b) { return std::tuple(b, a + 1.f); }, z);
        auto [first, second] = unzip(swapped);
        everywhere(first);
        everywhere(second);
    }
}

TEMPLATE_TEST_CASE("what does not depend on a sign is computed once, and exactly", "[map][math]", float, double) {
    using T = TestType;
    using Limits = std::numeric_limits<T>;
    std::vector<T> v;
    for (double x : {0.0, -0.0, 1.0, -1.0, 0.3, -0.3, 2.5, -2.5, 1e-4, -1e-4, 700.0, -700.0}) v.push_back(T(float(x)));
    for (T x : {Limits::infinity(), T(-Limits::infinity()), Limits::quiet_NaN(), Limits::max(), Limits::denorm_min()})
        v.push_back(x);
    const Array<T> x = from(v), y = run(reverse(x));
    const auto c = [](double value) { return T(float(value)); };
    everywhere(erfc(x * c(-0.7)) + c(2) * erfc(-x * c(-0.7)));
    everywhere(erf(x) - erf(-x));
    everywhere(tanh(-x) + sinh(x) * cosh(-x) * exp(-(-x)));
    everywhere(abs(-x) + (-x) * (-y) + x * y);
    everywhere((-x) * y - x * y);
    everywhere(x * y + x * (-y));
    everywhere(x * c(3) + (-x) * c(3) + -(x * c(-3)));
    everywhere(fma(-x, -y, x) + fma(x, y, x));
    everywhere((-x) - (-y));
    everywhere((-x) + y);
    everywhere(x + (-y));
}

TEST_CASE("few arrays and many, by several threads", "[map]") {
    for (int count : {6, 7, 8, 12}) {
        CAPTURE(count);
        std::vector<Array<float>> arrays;
        for (int k = 0; k < count; ++k) arrays.push_back(from(numbers<float>(100003, k + 1)));
        Delayed<float> all = arrays[0];
        for (int k = 1; k < count; ++k) all = all * 0.5f + arrays[static_cast<std::size_t>(k)];
        everywhere(all);
    }
}

TEST_CASE("a condition of the host chooses between arrays, and between expressions and numbers", "[map]") {
    const Array<float> x = from(numbers<float>(100));
    for (bool flag : {true, false}) {
        const Delayed<float> chosen = flag ? x : x + 1.f;
        everywhere(chosen);
        everywhere(map([=](auto e) { return flag ? e : 0.f; }, x));
        CHECK(run(chosen)(3) == x(3) + (flag ? 0.f : 1.f));
    }
}
