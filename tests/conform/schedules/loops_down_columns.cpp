// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequential loops in functions whose steps go from row to row, or from line to line, while lanes are neighbours: lines are
// fetched ahead of the step that needs them, past the end of the array in the last steps.
#include "conform/support.hpp"

#include <array>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using I = Exp<std::int64_t>;

/// Rows and columns: around the numbers of lanes, and a multiple of a page.
const std::vector<std::array<std::int64_t, 2>> shapes = {{0, 5}, {1, 1}, {3, 31}, {17, 33}, {40, 65}, {2, 512}, {33, 100}};

template <class T>
Array<T, 2> matrix(std::int64_t rows, std::int64_t columns) {
    return run(from(numbers<T>(rows * columns), shape(rows, columns)));
}

}  // namespace

TEMPLATE_TEST_CASE("a loop down each column", "[map][control][columns]", std::int8_t, std::int32_t, float, double) {
    using T = TestType;
    for (auto [rows, columns] : shapes) {
        CAPTURE(rows, columns);
        const auto a = matrix<T>(rows, columns);
        const Array<T> x = from(numbers<T>(rows, 3)), start = from(numbers<T>(columns, 4));
        const auto down = [&](bool backwards) {
            return map_indexed(
                [=, rows = rows](I j, Exp<T> first) {
                    return for_loop(
                        I(rows),
                        [=, rows = rows](I i, Exp<T> t) {
                            I row = backwards ? rows - 1 - i : i;
                            return t + a(row, j) * x(row);
                        },
                        first);
                },
                start);
        };
        everywhere(down(false));
        everywhere(down(true));
    }
}

TEST_CASE("a loop down each column that checks its rows", "[map][control][columns]") {
    const auto a = matrix<double>(40, 65);
    const Array<std::int64_t> step = from(std::vector<std::int64_t>{3});
    everywhere(
        map([=](I j) { return for_loop(I(12), [=](I i, Exp<double> t) { return t - a(i * step(0), j); }, 1.); }, iota(65)));
    const auto too_far =
        map([=](I j) { return for_loop(I(15), [=](I i, Exp<double> t) { return t - a(i * step(0), j); }, 1.); }, iota(65));
    CHECK_THROWS_AS(run(too_far), IndexError);
}

TEST_CASE("a loop down each column with several states", "[map][control][columns]") {
    const auto a = matrix<float>(70, 130);
    everywhere(map(
        [=](I j) {
            auto [most, where] = for_loop(
                I(70),
                [=](I i, Exp<float> most, I where) {
                    auto v = a(i, j);
                    return std::tuple(max(most, v), select(v > most, i, where));
                },
                -1e9f, std::int64_t(-1));
            return most + cast<float>(where);
        },
        iota(130)));
}
