// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose steps change a part of an array, which is a box that begins at the counter, and read planes at the counter.
#include "conform/support.hpp"

#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using R = Exp<double>;
using Longs = Delayed<Long, 2>;

template <class T>
Array<T, 2> matrix(Long rows, Long columns) {
    return from(numbers<T>(rows * columns), shape(rows, columns));
}

/// for k < count: a(i, j) = f(k, i, j, a(i, j), a) where holds(k, i, j).
template <class Holds, class F>
void steps(Long rows, Long columns, Long count, Holds holds, F f) {
    CAPTURE(rows, columns, count);
    const Longs a = matrix<Long>(rows, columns);
    auto step = [=](I k, Longs a) {
        return map_indexed([=](I i, I j, I x) { return select(holds(k, i, j), f(k, i, j, x, a), x); }, a);
    };
    everywhere(for_loop(count, step, a));
}

}  // namespace

TEST_CASE("elimination by index, of all sizes", "[partial_steps]") {
    for (Long n : {0, 1, 2, 9, 20})
        for (Long count : {n, n - 1}) {
            steps(
                n, n, count, [](I k, I i, I j) { return i > k && j >= k; },
                [](I k, I i, I j, I x, Longs a) { return x * a(k, k) - a(i, k) * a(k, j); });
            steps(
                n, n, count, [](I k, I i, I j) { return i >= j && j >= k; },
                [](I k, I i, I j, I x, Longs a) { return select(j == k, x + i, x - a(i, k) * a(j, k)); });
        }
}

TEST_CASE("parts of other shapes", "[partial_steps]") {
    for (Long n : {1, 11}) {
        auto product = [](I k, I i, I j, I x, Longs a) { return x + a(i, k) * a(k, j); };
        steps(n, n, n, [](I k, I, I j) { return k < j; }, product);
        steps(n, n, n, [](I k, I i, I) { return i == k; }, product);
        steps(n, n, n, [](I k, I i, I j) { return i >= k + 1 && j > k + 2; }, product);
        steps(n, n, n, [](I k, I i, I j) { return i - 1 >= k && i == j; }, product);
        steps(n, n, n, [](I k, I i, I j) { return i >= k && j <= k; }, product);
        steps(n, n, n, [](I k, I i, I j) { return i >= k || j > k; }, product);
        steps(n, n, n, [](I k, I i, I) { return i >= k - 3; }, product);
        steps(n, n, n, [](I k, I i, I) { return i > k; }, [](I, I i, I j, I x, Longs a) { return x + a(j, i); });
    }
}

TEST_CASE("matrices that are not square, and counters beyond them", "[partial_steps]") {
    auto holds = [](I k, I i, I j) { return i > k && j >= k; };
    auto f = [](I k, I i, I j, I x, Longs a) { return x - a(i, k) * a(k, j); };
    for (auto [n, m] : {std::pair<Long, Long>{3, 7}, {1, 9}, {12, 12}, {5, 5}}) steps(n, m, n, holds, f);
    const Longs a = matrix<Long>(4, 3);
    auto step = [=](I k, Longs a) {
        return map_indexed([=](I i, I j, I x) { return select(holds(k, i, j), f(k, i, j, x, a), x); }, a);
    };
    for (Target target : targets()) {
        CHECK_THROWS_AS(sinter::run(for_loop(4, step, a), {.target = target}), IndexError);
        CHECK_THROWS_AS(sinter::run(for_loop(5, step, Longs(matrix<Long>(4, 4))), {.target = target}), IndexError);
    }
}

TEST_CASE("compiled elimination, of several sizes", "[partial_steps]") {
    for (Target target : targets()) {
        auto eliminated = [](Delayed<double, 2> a) {
            auto step = [](I k, Delayed<double, 2> a) {
                return map_indexed(
                    [=](I i, I j, R x) {
                        auto factor = a(i, k) / a(k, k);
                        return cond(
                            i > k && j >= k, [&] { return select(j == k, factor, x - factor * a(k, j)); },
                            [&] { return x; });
                    },
                    a);
            };
            return for_loop(extent(a, 0) - 1, step, a);
        };
        const auto f = compile(eliminated, {.target = target}), g = compile(eliminated, {.target = Target::interpreter()});
        for (Long n : {1, 2, 9, 33, 9}) {
            const Array<double, 2> a = run(map_indexed([](I i, I j, R x) { return x + select(i == j, 40., 0.); },
                                                       Delayed<double, 2>(matrix<double>(n, n))));
            const Array<double, 2> x = f(a), y = g(a);
            require_same(x.to_vector(), y.to_vector());
        }
    }
}

TEST_CASE("several states, other arrays, and more that reads the array", "[partial_steps]") {
    for (Long n : {1, 9}) {
        const Longs a = matrix<Long>(n, n), b = matrix<Long>(n, n);
        const Delayed<Long, 1> c = Array<Long>(from(numbers<Long>(n)));
        auto step = [=](I k, Longs a, Longs b) {
            auto next = map_indexed(
                [=](I i, I j, I x, I y) { return select(i >= k && j > k, x * y + a(k, k) * c(i) - b(k, j) + a(k, j), x); },
                a, b);
            auto other = map_indexed([=](I i, I j, I y) { return select(i >= k, y + next(i, k) + a(j, i), y); }, b);
            return std::tuple(next, other);
        };
        auto [x, y] = for_loop(n, step, a, b);
        everywhere(map([](I x, I y) { return x * 31 + y; }, x, y));
    }
    const Delayed<Long, 3> cube = Array<Long, 3>(from(numbers<Long>(5 * 5 * 5), shape(5, 5, 5)));
    everywhere(for_loop(
        5,
        [](I k, Delayed<Long, 3> a) {
            return map_indexed(
                [=](I p, I i, I j, I x) { return select(i >= k && j > k, x - a(p, i, k) * a(p, k, j) + a(k, k, k), x); }, a);
        },
        cube));
    const Delayed<Long, 1> line = Array<Long>(from(numbers<Long>(50)));
    everywhere(for_loop(
        50, [](I k, Delayed<Long, 1> a) { return map_indexed([=](I i, I x) { return select(i > k, x + a(k), x); }, a); },
        line));
}
