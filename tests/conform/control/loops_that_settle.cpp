// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted loops whose states a mask keeps as they are, which end when nothing can change any more.
#include "conform/support.hpp"

#include <limits>
#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;

/// Collatz sequences of whole arrays, and when they reach 1: `choose(mask, new, old)` keeps what is finished.
template <class Choose>
void sequences(Long n, Long steps, Choose choose) {
    using Longs = Delayed<Long, 1>;
    const Array<Long> x = from(numbers<Long>(n));
    auto step = [=](I k, Longs x, Longs when) {
        auto on = map([](I x) { return x > 1; }, x);
        auto next = map([](I x) { return select(x % 2 == 0, x / 2, 3 * x + 1); }, x);
        return std::tuple(choose(on, next, x), choose(on, map([=](I) { return k + 1; }, x), when));
    };
    auto [last, when] = for_loop(steps, step, Longs(x), fill(shape(n), Long(0)));
    everywhere(map([](I x, I k) { return x * 1000 + k; }, last, when));
}

}  // namespace

TEST_CASE("loops over whole arrays that keep what is finished", "[loops_that_settle]") {
    for (Long n : {0, 1, 7, 100})
        for (Long steps : {0, 3, 9, 200}) {
            sequences(n, steps, [](auto on, auto next, auto x) { return select(on, next, x); });
            sequences(n, steps, [](auto on, auto next, auto x) {
                return map([](Exp<bool> off, I x, I next) { return select(off, x, next); }, !on, x, next);
            });
        }
}

TEST_CASE("Newton's method that stops where it has converged", "[loops_that_settle]") {
    using R = Exp<double>;
    const Array<double> x = from(numbers<double>(50));
    for (Long steps : {1, 8, 60}) {
        everywhere(map(
            [=](R a) {
                auto step = [=](I, R x, R before) {
                    return std::tuple(select(x != before, 0.5 * (x + (abs(a) + 1.) / x), x), select(x != before, x, before));
                };
                auto [root, before] = for_loop(I(steps), step, R(1.), R(0.));
                return root;
            },
            x));
    }
}

TEST_CASE("loops in which every state has a condition of its own, and NaN", "[loops_that_settle]") {
    using R = Exp<double>;
    std::vector<double> values = numbers<double>(40);
    values[3] = std::numeric_limits<double>::quiet_NaN();
    const Array<double> x = from(values);
    everywhere(map(
        [](R a) {
            auto step = [=](I k, R up, R down, I n) {
                Exp<bool> low = (up < 20.);
                auto [next, count] =
                    cond(low, [&] { return std::tuple(up + a * a + 0.5, n + k); }, [&] { return std::tuple(up, n); });
                return std::tuple(next, select(down > -7., down - 0.25, down), count);
            };
            auto [up, down, n] = for_loop(I(100), step, R(0.), a, I(0));
            return up + down + cast<double>(n);
        },
        x));
}

TEST_CASE("conditions that may become true again", "[loops_that_settle]") {
    const Array<Long> x = from(numbers<Long>(40));
    everywhere(map([](I a) { return for_loop(I(30), [=](I k, I s) { return select((k + a) % 3 == 0, s + k, s); }, a); }, x));
    everywhere(map(
        [](I a) {
            auto step = [](I, I s, I t) { return std::tuple(select(t % 4 == 1, s * 3 + t, s), t + 1); };
            auto [s, t] = for_loop(I(30), step, a, a);
            return s - t;
        },
        x));
}

TEST_CASE("errors of loops that keep what is finished", "[loops_that_settle]") {
    const Array<Long> x = from(std::vector<Long>{4, 3, 2, 5});
    auto quotient = map(
        [](I a) { return for_loop(I(10), [=](I k, I s) { return select(s > 1, s - 1 + min(a / (9 - k), 0), s); }, a); }, x);
    for (Target target : targets()) CHECK_THROWS_AS(sinter::run(quotient, {.target = target}), DomainError);
}
