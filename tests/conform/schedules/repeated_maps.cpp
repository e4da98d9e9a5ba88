// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expensive maps that repeat along an axis, and what in functions does, which are computed once (lib/opt/repeat_maps.cpp,
// lib/opt/axis_work.cpp), and functions that differ by literals only, which share kernels (lib/convert/inputs.cpp).
#include "tests/conform/support.hpp"

#include <complex>
#include <numbers>

using namespace sinter;
using namespace conform;

namespace {

using Number = Exp<std::int64_t>;

}  // namespace

TEMPLATE_TEST_CASE("what repeats along one axis, or along all", "[repeated_maps]", float, double) {
    using T = TestType;
    using Line = Delayed<T>;
    using Matrix = Delayed<T, 2>;
    const auto largest = [](Line row) { return fold([](Exp<T> u, Exp<T> v) { return max(u, v); }, T(-9), row); };
    for (std::int64_t n : {0, 1, 7, 40}) {
        for (std::int64_t m : {0, 1, 5, 33}) {
            CAPTURE(n, m);
            Array<T> x = from(numbers<T>(n, 1));
            Array<T, 2> a = from(numbers<T>(n * m, 2), shape(n, m));
            compiled_everywhere(
                [](Matrix a, Line x) {
                    auto s = shape(extent(a, 0), extent(a, 1));
                    Matrix rows = broadcast(x, s, axes(0));
                    Matrix columns = generate(s, [](Number, Number j) { return cast<T>(j) / T(3); });
                    Matrix same = map([](Exp<T> v) { return exp(v); }, fill(s, T(0.5)));
                    Matrix both = map([](Exp<T> u, Exp<T> v) { return sin(u) * cos(v); }, rows, columns);
                    return a * map([](Exp<T> v) { return sqrt(v * v + T(1)); }, rows) + both * same;
                },
                a, x);
            compiled_everywhere(
                [](Matrix a, Line x) {
                    return for_loop(
                        3,
                        [=](Number t, Matrix b) {
                            auto s = shape(extent(a, 0), extent(a, 1));
                            auto turn = map([=](Exp<T> v) { return cos(v * cast<T>(t)); }, broadcast(x, s, axes(0)));
                            return map([](Exp<T> u, Exp<T> v, Exp<T> w) { return u * v - w; }, b, turn, a);
                        },
                        a);
                },
                a, x);
            compiled_everywhere(
                [=](Matrix a, Line x) {
                    auto s = shape(extent(a, 0), extent(a, 1));
                    return vmap(largest, map([](Exp<T> u, Exp<T> v) { return tanh(u) / (abs(v) + T(1)); },
                                             broadcast(x, s, axes(0)), broadcast(x, s, axes(0)))) +
                           vmap(largest, a);
                },
                a, x);
        }
    }
}

TEMPLATE_TEST_CASE("what is the same for all rows, in functions", "[repeated_maps]", float, double) {
    using T = TestType;
    using Line = Delayed<T>;
    using Matrix = Delayed<T, 2>;
    for (std::int64_t n : {0, 1, 6, 33}) {
        for (std::int64_t m : {0, 1, 5, 40}) {
            CAPTURE(n, m);
            Array<T> x = from(numbers<T>(m, 1));
            Array<T, 2> a = from(numbers<T>(n * m, 2), shape(n, m));
            compiled_everywhere(
                [](Matrix a, Line x) {
                    auto s = shape(extent(a, 0), extent(a, 1));
                    Matrix columns = broadcast(x, s, axes(1));
                    Matrix turned = map_indexed(
                        [](Number i, Number j, Exp<T> u, Exp<T> v) {
                            return u * cos(v * cast<T>(j / 3)) + cast<T>(i * (j % 7)) / cast<T>(j + 1) + cast<T>(j % 8);
                        },
                        a, columns);
                    auto [first, second] =
                        unzip(map([](Exp<T> u, Exp<T> v) { return std::tuple(u * exp(v), u + exp(v)); }, a, columns));
                    return turned + first * second;
                },
                a, x);
            compiled_everywhere(
                [](Matrix a, Line x) {
                    auto s = shape(extent(a, 0), 3, extent(a, 1));
                    return generate(s, [=](Number i, Number k, Number j) {
                        return sin(cast<T>(j)) * a(i, (j / 2 * 2 + k) % extent(a, 1)) + sqrt(cast<T>(k * j + 1)) * x(j) +
                               cos(cast<T>(i * 5 + j));
                    });
                },
                a, x);
            compiled_everywhere(
                [](Matrix a, Line) {
                    return for_loop(
                        3,
                        [=](Number t, Matrix b) {
                            return map_indexed(
                                [=](Number, Number j, Exp<T> u) {
                                    return u * cos(cast<T>(j)) + sin(cast<T>(j * t)) + cast<T>(j / 5);
                                },
                                b);
                        },
                        a);
                },
                a, x);
        }
    }
}

TEST_CASE("what may fail is computed for elements that are there", "[repeated_maps]") {
    Array<std::int32_t> zero = from(std::vector<std::int32_t>{0});
    const auto divide = [](std::int64_t columns) {
        return [=](Delayed<std::int32_t> x) {
            return map([](Exp<std::int32_t> v) { return exp(cast<float>(7 / v)); },
                       broadcast(x, shape(1, columns), axes(0)));
        };
    };
    std::vector<Target> all = targets();
    all.push_back(Target::interpreter());
    for (Target target : all) {
        REQUIRE(compile(divide(0), {.target = target})(zero).size() == 0);
        REQUIRE_THROWS_AS(compile(divide(1), {.target = target})(zero), Error);
    }
}

TEST_CASE("stages of a transform that C++ unrolls, whose functions differ by literals", "[repeated_maps]") {
    using Line = Delayed<double>;
    static constexpr std::int64_t count = 256;
    std::vector<double> real(count), imaginary(count, 0.0);
    for (std::size_t k = 0; k < real.size(); ++k) real[k] = static_cast<double>(k % 17) - 3;
    const auto transform = [](Line re, Line im) {
        Line x = re, y = im;
        std::int64_t n = count, s = 1;
        for (; n > 1; n /= 2, s *= 2) {
            const std::int64_t m = n / 2;
            const auto half = [=](Line of, std::int64_t k) {
                auto halves = reshape(of, shape(2, m, s));
                return reshape(slice(halves, range(k, k + 1), all, all), shape(m, s));
            };
            auto angle = generate(shape(m, s), [=](Number p, Number) {
                return cast<double>(p) * (-2 * std::numbers::pi / static_cast<double>(n));
            });
            auto c = map([](Exp<double> t) { return cos(t); }, angle), d = map([](Exp<double> t) { return sin(t); }, angle);
            auto u = half(x, 0) - half(x, 1), v = half(y, 0) - half(y, 1);
            const auto stacked = [=](auto a, auto b) {
                auto first = reshape(a, shape(m, 1, s)), second = reshape(b, shape(m, 1, s));
                return reshape(concat(first, second, axis(1)), shape(count));
            };
            Line next = stacked(half(x, 0) + half(x, 1), u * c - v * d);
            y = stacked(half(y, 0) + half(y, 1), u * d + v * c);
            x = next;
        }
        return x;
    };
    const auto found = compiled_everywhere(transform, Array<double>(from(real)), Array<double>(from(imaginary)));
    for (std::size_t k = 0; k < found.size(); ++k) {
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < real.size(); ++j)
            sum += real[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % count) / count);
        REQUIRE(std::abs(found[k] - sum.real()) < 1e-9);
    }
}
