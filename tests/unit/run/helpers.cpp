// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/helpers.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using sinter::runtime::Helpers;

namespace {

template <class F>
void run(Helpers& helpers, std::int64_t count, int threads, F&& f) {
    helpers.run(count, threads, [](void* context, std::int64_t k) { (*static_cast<F*>(context))(k); }, &f);
}

std::int64_t sum_to(std::int64_t count) { return count * (count - 1) / 2; }

}  // namespace

TEST_CASE("helpers call every iteration once") {
    for (int size : {0, 1, 3}) {
        Helpers helpers(size);
        for (int round = 0; round < 100; ++round)
            for (std::int64_t count : {0, 1, 2, 7, 64, 5000}) {
                std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
                run(helpers, count, 1 + round % 5, [&](std::int64_t k) { ++calls[static_cast<std::size_t>(k)]; });
                for (const std::atomic<int>& n : calls) REQUIRE(n == 1);
            }
    }
}

TEST_CASE("helpers come, and no more of them than a loop wants") {
    Helpers helpers(4);
    bool came = false;
    for (int attempt = 0; attempt < 50 && !came; ++attempt) {
        std::mutex mutex;
        std::set<std::thread::id> who;
        run(helpers, 30, 3, [&](std::int64_t) {
            {
                std::lock_guard lock(mutex);
                who.insert(std::this_thread::get_id());
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        });
        REQUIRE(who.size() <= 3);
        came = who.size() > 1;
    }
    CHECK(came);
}

TEST_CASE("helpers serve several callers, and loops inside of loops") {
    Helpers helpers(3);
    std::atomic<std::int64_t> total{0};
    std::vector<std::jthread> callers;
    for (int c = 0; c < 6; ++c) {
        callers.emplace_back([&] {
            for (int round = 0; round < 40; ++round)
                run(helpers, 12, 4, [&](std::int64_t) { run(helpers, 50, 4, [&](std::int64_t k) { total += k; }); });
        });
    }
    callers.clear();
    CHECK(total == 6 * 40 * 12 * sum_to(50));
}

TEST_CASE("what an iteration throws reaches the caller, and helpers go on") {
    Helpers helpers(2);
    for (int round = 0; round < 50; ++round) {
        std::atomic<int> inside{0};
        CHECK_THROWS_WITH(run(helpers, 1000, 3,
                              [&](std::int64_t k) {
                                  ++inside;
                                  if (k == 17) throw std::runtime_error("seventeen");
                                  --inside;
                              }),
                          "seventeen");
        CHECK(inside == 1);  // nobody is inside when run has ended
        std::atomic<std::int64_t> total{0};
        run(helpers, 100, 3, [&](std::int64_t k) { total += k; });
        CHECK(total == sum_to(100));
    }
}
