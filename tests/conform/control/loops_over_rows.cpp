// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose steps combine an array, element by element, with views of others that the loop does not change, and with folds
// of these: compiled as recurrences along the steps, with the interpreter's results.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X0 = Exp<Long>;
using X1 = Delayed<Long>;
using X2 = Delayed<Long, 2>;

struct Extents {
    Long rows, columns;
};
const std::vector<Extents> extents = {{0, 5}, {5, 0}, {1, 1}, {1, 100}, {7, 9}, {33, 8}, {9, 133}, {300, 17}, {2, 1029}};

X1 row_of(X2 a, I i) { return reshape(slice(a, range(i, i + 1), all), shape(extent(a, 1))); }

/// f(matrix, a vector as long as a row), alone and of several slices, on every target.
template <class F>
void of_matrix(F f) {
    for (Extents e : extents) {
        CAPTURE(e.rows, e.columns);
        const X2 numbers_2 = from(numbers<Long>(e.rows * e.columns), shape(e.rows, e.columns));
        const Array<Long, 2> a = run(numbers_2);
        const Array<Long> x = run(from(numbers<Long>(e.columns, 5)));
        const auto expected = compile(f, {.target = Target::interpreter()})(a, x).to_vector();
        for (Target target : targets()) require_same(compile(f, {.target = target})(a, x).to_vector(), expected);
        everywhere(vmap([=](X0 one) { return f(a + one, x * one); }, from({Long(1), Long(3)})));
    }
}

}  // namespace

TEST_CASE("loops that add rows", "[loops_over_rows]") {
    of_matrix([](X2 a, X1 x) { return for_loop(extent(a, 0), [=](I i, X1 y) { return y * 3 + row_of(a, i) - x; }, x); });
}

TEST_CASE("loops that add rows times a fold of the row", "[loops_over_rows]") {
    of_matrix([](X2 a, X1 x) {
        const auto add = [=](I i, X1 y) {
            const X1 row = row_of(a, i);
            return y * 3 + row * sum(row * x) + i;
        };
        return for_loop(extent(a, 0), add, x);
    });
}

TEST_CASE("folds of folds, of several numbers, and of later rows, in loops over rows", "[loops_over_rows]") {
    of_matrix([](X2 a, X1 x) {
        const auto n = extent(a, 0);
        const auto larger = [](auto p, auto q) {
            const auto [most, least] = p;
            const auto [other_most, other_least] = q;
            return std::tuple(max(most, other_most), min(least, other_least));
        };
        const auto add = [=](I i, X1 y, X1 z) {
            const X1 row = row_of(a, n - 1 - i), other = row_of(a, i);
            const X0 total = sum(row)(), twice = sum(row * total + other)();
            const auto [most, least] = fold(larger, std::tuple(Long(-100), Long(100)), zip(row, other))();
            return std::tuple(y * 5 + row * twice - least, z + y * most + other);
        };
        const auto [y, z] = for_loop(n, add, x, x * 2);
        return y - z;
    });
}

TEST_CASE("loops over rows that fold the state stay as they are", "[loops_over_rows]") {
    of_matrix([](X2 a, X1 x) {
        return for_loop(extent(a, 0), [=](I i, X1 y) { return y % 7 + row_of(a, i) * (sum(y) % 5) + sum(row_of(a, i)); }, x);
    });
}

TEST_CASE("windows that move along a line are added", "[loops_over_rows]") {
    for (const Long n : {3, 8, 100, 5000}) {
        CAPTURE(n);
        const X1 x = from(numbers<Long>(n + 2)), weights = from(numbers<Long>(3, 4));
        const auto f = compile([](X1 x, X1 weights, X0 n) {
            const auto add = [=](I k, X1 y) { return y + slice(x, range(k, k + n)) * weights(k); };
            return for_loop(Long(3), add, fill(shape(n), Long(0)));
        });
        std::vector<Long> expected(static_cast<std::size_t>(n));
        const auto xs = run(x).to_vector(), ws = run(weights).to_vector();
        for (std::size_t j = 0; j < expected.size(); ++j)
            for (std::size_t k = 0; k < 3; ++k) expected[j] += xs[j + k] * ws[k];
        require_same(f(run(x), run(weights), n).to_vector(), expected);
    }
}
