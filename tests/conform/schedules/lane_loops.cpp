// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that end at different times in different lanes: states that are the same in all lanes still going, as counters,
// and what a lane keeps of them when it ends.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

TEMPLATE_TEST_CASE("lanes keep the counter at which they end", "[map][control]", std::int8_t, std::uint8_t, std::int16_t,
                   std::int32_t, std::int64_t, half, float, double) {
    using T = TestType;
    for (auto n : few_sizes) {
        Array<float> x = from(numbers<float>(n));
        for (int kept = 0; kept < 5; ++kept) {
            CAPTURE(n, kept);
            everywhere(map(
                [kept](Exp<float> start) {
                    auto [i, count, odd, v, slow] = while_loop(
                        [](auto i, auto count, auto, auto v, auto) { return i < 12 && v < 40.f && count < T(100.f); },
                        [](auto i, auto count, auto odd, auto v, auto slow) {
                            return std::tuple(i + 1, count + T(2.f), !odd, v * 1.5f + cast<float>(i),
                                              select(odd, slow + 1.0, slow));
                        },
                        Exp<std::int32_t>(0), cast<T>(Exp<std::int32_t>(3)), Exp<bool>(false), start, Exp<double>(0.5));
                    Exp<double> all = cast<double>(i) + 16.0 * cast<double>(count);
                    switch (kept) {
                        case 0:
                            return cast<double>(i);
                        case 1:
                            return cast<double>(count);
                        case 2:
                            return cast<double>(odd);
                        case 3:
                            return slow;
                        default:
                            return all + 4096.0 * cast<double>(odd) + 8192.0 * slow + cast<double>(v);
                    }
                },
                x));
        }
    }
}

TEST_CASE("a condition on the counter alone ends the loop for all lanes", "[map][control]") {
    for (auto n : edge_sizes) {
        Array<std::int32_t> x = from(numbers<std::int32_t>(n));
        for (int limit : {0, 1, 7}) {
            auto rounds = [=](Exp<std::int32_t> v) {
                auto [i, rest] =
                    while_loop([=](auto i, auto w) { return (w % 5 != 3 && i < limit) && w > -100; },
                               [](auto i, auto w) { return std::tuple(i + 1, w - 1); }, Exp<std::int32_t>(0), v);
                return i;
            };
            everywhere(map(rounds, x));
            everywhere(
                map([=](Exp<std::int32_t> v) { return cond(v > 2, [=] { return rounds(v) + 10; }, [=] { return v; }); }, x));
        }
    }
}

TEST_CASE("a for_loop of different counts has states that are the same in all lanes", "[map][control]") {
    for (auto n : edge_sizes) {
        Array<std::int64_t> x = from(numbers<std::int64_t>(n));
        everywhere(map(
            [](Exp<std::int64_t> v) {
                auto [sum, power] = for_loop(
                    v, [](auto i, auto s, auto p) { return std::tuple(s + i * p, p * 3); }, Exp<std::int64_t>(0),
                    Exp<std::int64_t>(1));
                return sum * 1000 + power;
            },
            x));
    }
}

TEST_CASE("an outer counter is the same in the lanes of an inner loop", "[map][control]") {
    for (auto n : edge_sizes) {
        Array<std::int32_t> x = from(numbers<std::int32_t>(n));
        everywhere(map(
            [](Exp<std::int32_t> v) {
                auto [i, sum] = while_loop([=](auto i, auto s) { return i < 9 && s < 30 + v; },
                                           [=](auto i, auto s) {
                                               auto inner = while_loop([=](auto k) { return k * k < i + v; },
                                                                       [](auto k) { return k + 1; }, Exp<std::int32_t>(0));
                                               return std::tuple(i + 1, s + inner + i);
                                           },
                                           Exp<std::int32_t>(0), Exp<std::int32_t>(0));
                return i * 1000 + sum;
            },
            x));
    }
}
