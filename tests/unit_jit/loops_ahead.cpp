// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the host waits while a device executes a loop.
#include "counting_backend.hpp"

#include <sinter/sinter.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace sinter;

Target target() {
    static const bool registered = (counting::register_device(), true);
    (void)registered;
    return Target::gpu(counting::device);
}

/// Waits and launches of a run.
template <class E>
std::pair<int, int> costs(const E& expression) {
    counting::waits = counting::launches = 0;
    run(expression, {.target = target()});
    return {counting::waits, counting::launches};
}

auto doublings(std::int64_t times, std::int64_t n) {
    return std::get<1>(while_loop([=](Exp<std::int64_t> i, Delayed<std::int64_t>) { return i < times; },
                                  [](Exp<std::int64_t> i, Delayed<std::int64_t> v) { return std::tuple(i + 1, v + v); },
                                  std::int64_t{0}, run(iota(n))));
}

}  // namespace

TEST_CASE("a loop on a device waits once a batch", "[ahead]") {
    const std::pair<int, int> expected[] = {{0, 1}, {1, 1},  {2, 2},  {3, 2},  {4, 3},  {7, 3},
                                            {8, 4}, {15, 4}, {16, 5}, {31, 5}, {32, 6}, {300, 22}};
    for (const auto& [times, batches] : expected) {
        CAPTURE(times);
        const auto [waited, kernels] = costs(doublings(times, 100));
        CHECK(waited == batches);
        CHECK(kernels <= 3 * (2 * times + 3));
        CHECK(run(doublings(times, 100), {.target = target()}).to_vector() == run(doublings(times, 100)).to_vector());
    }
}

TEST_CASE("a loop on a device waits for every condition where a batch would take too much memory", "[ahead]") {
    CHECK(costs(doublings(9, 100)).first == 4);
    CHECK(costs(doublings(3, 5 << 20)).first == 3);   // an iteration at a time
    CHECK(costs(doublings(3, 10 << 20)).first == 4);  // as many as there are conditions
}

TEST_CASE("checks of a loop's kernels are waited for with its conditions", "[ahead]") {
    const auto x = run(iota(50));
    auto loop = while_loop([](Exp<std::int64_t> i, Delayed<std::int64_t>) { return i < 12; },
                           [](Exp<std::int64_t> i, Delayed<std::int64_t> v) {
                               return std::tuple(i + 1, gather(map([=](auto k) { return (k * 7 + i) % 50; }, v), v));
                           },
                           std::int64_t{0}, x);
    CHECK(costs(std::get<1>(loop)).first == 4);
}

TEST_CASE("updates in place within a loop need no host", "[ahead]") {
    auto loop = while_loop(
        [](Exp<std::int64_t> i, Delayed<std::int64_t>) { return i < 12; },
        [](Exp<std::int64_t> i, Delayed<std::int64_t> v) { return std::tuple(i + 1, update(v, index(i), i * 100)); },
        std::int64_t{0}, run(iota(50)));
    CHECK(costs(std::get<1>(loop)).first == 4);
}

TEST_CASE("a condition that is a state is left on the device, too", "[ahead]") {
    auto loop = while_loop(
        [](Exp<bool> going, Delayed<std::int64_t>) { return going; },
        [](Exp<bool>, Delayed<std::int64_t> v) { return std::tuple(any(map([](auto k) { return k < 60; }, v))(), v + 1); },
        true, run(iota(50)));
    CHECK(costs(std::get<1>(loop)).first == 8);  // the state it begins with, and 7 batches of 61 iterations
}
