// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices as loops over indices: in register tiles, in the order of the loop.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

/// Rows, inner extent and columns around the tiles; ranges that go through tiles in parts.
const std::vector<std::array<std::int64_t, 3>> extents = {{0, 3, 4},    {3, 0, 4},    {1, 5, 1},      {7, 9, 17},
                                                          {12, 33, 64}, {13, 64, 65}, {40, 700, 130}, {6, 5000, 70}};

template <class T>
Array<T, 2> matrix(std::int64_t rows, std::int64_t columns, int seed) {
    return from(numbers<T>(rows * columns, seed), shape(rows, columns));
}

template <class F>
void check_products(F f) {
    for (const auto& [rows, inner, columns] : extents) {
        CAPTURE(rows, inner, columns);
        f(rows, inner, columns);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("products by index", "[contraction][fold]", std::int8_t, std::uint32_t, std::int64_t, float, double) {
    using T = TestType;
    check_products([](std::int64_t rows, std::int64_t inner, std::int64_t columns) {
        Array<T, 2> x = matrix<T>(rows, inner, 1), y = matrix<T>(inner, columns, 2);
        Array<T> b = from(numbers<T>(columns, 3));
        everywhere(generate(shape(rows, columns), [=](auto i, auto j) {
            return for_loop(inner, [=](auto k, Exp<T> t) { return t + x(i, k) * y(k, j); }, b(j));
        }));
    });
}

TEST_CASE("products by index: operators that need the order, several states", "[contraction][fold]") {
    check_products([](std::int64_t rows, std::int64_t inner, std::int64_t columns) {
        Array<double, 2> x = matrix<double>(rows, inner, 1), y = matrix<double>(inner, columns, 2);
        everywhere(generate(shape(rows, columns), [=](auto i, auto j) {
            return for_loop(inner, [=](auto k, Exp<double> t) { return (x(i, k) - y(k, j)) - t * 0.5; }, 1.);
        }));
        everywhere(generate(shape(rows, columns), [=](auto i, auto j) {
            auto [most, where] = for_loop(
                inner,
                [=](auto k, Exp<double> most, Exp<double> sum) {
                    auto product = x(i, k) * y(k, j);
                    return std::tuple(max(most, product), sum * 0.25 + sqrt(abs(product)));
                },
                -1e300, 0.);
            return most + where;
        }));
    });
}

TEST_CASE("products by index along two axes, of three, and with rows in reverse", "[contraction][fold]") {
    for (const std::int64_t width : {1, 5, 16, 33}) {
        CAPTURE(width);
        Array<float, 3> in = from(numbers<float>(9 * (width + 2) * 3, 1), shape(9, width + 2, 3));
        Array<float, 3> weights = from(numbers<float>(3 * 3 * 20, 2), shape(3, 3, 20));
        everywhere(generate(shape(9, width, 20), [=](auto n, auto i, auto o) {
            return for_loop(
                3,
                [=](auto p, Exp<float> t) {
                    return for_loop(3, [=](auto c, Exp<float> t) { return t + in(n, i + p, c) * weights(p, c, o); }, t);
                },
                0.f);
        }));
        everywhere(generate(shape(9, width, 20), [=](auto n, auto i, auto o) {
            return for_loop(3, [=](auto c, Exp<float> t) { return t - in(8 - n, i, c) * weights(2 - c, c, o); }, 0.f);
        }));
    }
}

TEST_CASE("products by index report an index that is out of range", "[contraction][errors]") {
    Array<float, 2> x = matrix<float>(20, 50, 1), y = matrix<float>(40, 70, 2);
    const auto product = generate(shape(20, 70), [=](auto i, auto j) {
        return for_loop(50, [=](auto k, Exp<float> t) { return t + x(i, k) * y(k, j); }, 0.f);
    });
    for (const Target target : targets()) REQUIRE_THROWS_AS(run(product, {.target = target}), IndexError);
}

TEMPLATE_TEST_CASE("products by index in branches", "[contraction][fold][branches]", std::int32_t, float, double) {
    using T = TestType;
    using Matrix = Delayed<T, 2>;
    using I = Exp<std::int64_t>;
    for (const auto& [rows, inner, columns] : extents) {
        if (inner == 0 || (rows > 20 && std::is_same_v<T, float>)) continue;
        CAPTURE(rows, inner, columns);
        const Array<T, 2> x = matrix<T>(rows, inner, 1), y = matrix<T>(inner, columns, 2);
        const auto sum = [](Matrix x, Matrix y, I i, I j) {
            return for_loop(extent(x, 1), [=](I k, Exp<T> t) { return t + x(i, k) * y(k, j); }, Exp<T>(T(0)));
        };
        const auto each = [&](auto f) {
            compiled_everywhere(
                [=](Matrix x, Matrix y) {
                    return generate(shape(extent(x, 0), extent(y, 1)), [=](I i, I j) { return f(x, y, i, j); });
                },
                x, y);
        };
        const auto zero = [] { return Exp<T>(T(0)); };
        each([=](Matrix x, Matrix y, I i, I j) { return cond(j <= i, [&] { return sum(x, y, i, j); }, zero); });
        each([=](Matrix x, Matrix y, I i, I j) {
            return cond(i == j, zero, [&] { return sum(x, y, i, j) * T(2) + y(0, j); });
        });
        each([=](Matrix x, Matrix y, I i, I j) {  // what is read besides is there only where the condition holds
            return cond(j > 0 && i < extent(y, 1), [&] { return sum(x, y, i, j) + y(0, j - 1) + y(0, i); }, zero);
        });
        each([=](Matrix x, Matrix y, I i, I j) {  // and so are the rows
            const auto before = [&] {
                return for_loop(extent(x, 1), [=](I k, Exp<T> t) { return t + x(i - 1, k) * y(k, j); }, Exp<T>(T(0)));
            };
            return cond(i > 0 && j > i, before, zero);
        });
        each([=](Matrix x, Matrix y, I i, I j) {
            return cond(y(0, j) > T(0), [&] { return sum(x, y, i, j); }, zero);  // by data
        });
    }
}
