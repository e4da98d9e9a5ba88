// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/team.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using sinter::runtime::Team;
using namespace std::chrono_literals;

namespace {

template <class F>
bool run(Team& team, std::int64_t count, int threads, F&& f) {
    return team.run(count, threads, [](void* context, std::int64_t k) { (*static_cast<F*>(context))(k); }, &f);
}

}  // namespace

TEST_CASE("a team calls every iteration once") {
    for (int size : {1, 2, 3, 8}) {
        Team team(size);
        for (int round = 0; round < 300; ++round)
            for (std::int64_t count : {1, 2, 3, 7, 64, 1000}) {
                std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
                REQUIRE(run(team, count, 1 + round % 9, [&](std::int64_t k) { ++calls[static_cast<std::size_t>(k)]; }));
                for (const std::atomic<int>& n : calls) REQUIRE(n == 1);
            }
    }
}

TEST_CASE("a team whose members sleep wakes up") {
    Team team(4);
    for (int pause : {0, 1, 5, 20}) {
        std::atomic<int> calls{0};
        std::this_thread::sleep_for(std::chrono::milliseconds(pause));
        REQUIRE(run(team, 100, 4, [&](std::int64_t) { ++calls; }));
        CHECK(calls == 100);
    }
}

TEST_CASE("members take over what a slow one has left") {
    Team team(2);
    std::vector<std::thread::id> who(64);
    bool moved = false;
    for (int attempt = 0; attempt < 50 && !moved; ++attempt) {
        REQUIRE(run(team, 64, 2, [&](std::int64_t k) {
            who[static_cast<std::size_t>(k)] = std::this_thread::get_id();
            if (k == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }));
        for (std::size_t k = 1; k < 32; ++k) moved |= who[k] != who[0];
    }
    CHECK(moved);
}

TEST_CASE("a team has one loop at a time") {
    Team team(2);
    std::atomic<int> refused{0}, inner{0};
    REQUIRE(run(team, 8, 2, [&](std::int64_t) { refused += !run(team, 8, 2, [&](std::int64_t) { ++inner; }); }));
    CHECK(refused == 8);
    CHECK(inner == 0);
}

TEST_CASE("a team is ready while its members are awake, and not while it has a loop") {
    Team team(4);
    CHECK_FALSE(team.ready(1us, 100us));  // no thread has started
    bool ready = false;
    std::atomic<int> ready_within{0};
    for (int round = 0; round < 1000 && !ready; ++round) {  // until none falls asleep between the two lines
        REQUIRE(run(team, 4, 4, [&](std::int64_t) { ready_within += team.ready(1s, 100us); }));
        ready = team.ready(1us, 100us);
    }
    CHECK(ready);
    CHECK(ready_within == 0);
}

TEST_CASE("members that sleep are worth waking for a long loop, and for short ones that come one soon after another") {
    Team team(4);
    CHECK(team.ready(1ms, 100us));
    CHECK_FALSE(team.ready(10us, 100us));
    int asked = 1;
    while (asked < 100000 && !team.ready(10us, 100us)) ++asked;
    CHECK(asked >= 4);
    CHECK(asked < 100000);
    for (int round = 0; round < 20; ++round) {
        std::this_thread::sleep_for(1ms);
        CHECK_FALSE(team.ready(10us, 100us));
    }
}

TEST_CASE("what an iteration throws reaches the caller, and the team goes on") {
    Team team(3);
    for (int round = 0; round < 100; ++round) {
        std::atomic<int> calls{0};
        CHECK_THROWS_AS(run(team, 1000, 3,
                            [&](std::int64_t k) {
                                ++calls;
                                if (k % 300 == 7) throw std::runtime_error("seven");
                            }),
                        std::runtime_error);
        CHECK(calls <= 1000);
        calls = 0;
        REQUIRE(run(team, 10, 3, [&](std::int64_t) { ++calls; }));
        CHECK(calls == 10);
    }
}

TEST_CASE("callers on several threads: one has the team, the others are told") {
    Team team(2);
    std::atomic<std::int64_t> calls{0}, loops{0};
    std::vector<std::jthread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&] {
            for (int round = 0; round < 500; ++round) loops += run(team, 50, 2, [&](std::int64_t) { ++calls; });
        });
    callers.clear();
    CHECK(calls == 50 * loops);
    CHECK(loops > 0);
}
