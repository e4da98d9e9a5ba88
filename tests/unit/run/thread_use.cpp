// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/thread_use.hpp"

#include "run/tuning.hpp"

#include <catch2/catch.hpp>

using namespace sinter::runtime;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t bytes = 1 << 16;
constexpr int turns = tuning::periods_of_a_look;

/// A period of launches of 5 us with the way that the history chose.
void report(ThreadUseHistory& history, std::chrono::nanoseconds time, bool shared = true, std::size_t of = bytes) {
    history.report(of, {history.choose(of), time, 1e6, time / 5us, shared});
}

void report_each_way(ThreadUseHistory& history, std::chrono::nanoseconds worthwhile, std::chrono::nanoseconds long_ones,
                     std::chrono::nanoseconds none) {
    for (const auto time : {worthwhile, long_ones, none})
        for (int k = 0; k < turns; ++k) report(history, time);
}

}  // namespace

TEST_CASE("each way of using threads in a loop has its turns, and the fastest is kept", "[threads]") {
    ThreadUseHistory history;
    CHECK(history.choose(bytes) == ThreadUse::worthwhile);
    SECTION("one thread") {
        report_each_way(history, 9ms, 8ms, 3ms);
        CHECK(history.choose(bytes) == ThreadUse::none);
    }
    SECTION("only long launches") {
        report_each_way(history, 9ms, 2ms, 3ms);
        CHECK(history.choose(bytes) == ThreadUse::long_ones);
    }
    SECTION("all that are worthwhile") {
        report_each_way(history, 1ms, 2ms, 3ms);
        CHECK(history.choose(bytes) == ThreadUse::worthwhile);
    }
}

TEST_CASE("the best time of each way of using threads counts", "[threads]") {
    ThreadUseHistory history;
    report(history, 30ms);
    report(history, 1ms);
    for (int k = 0; k < 2 * turns; ++k) report(history, 2ms);
    CHECK(history.choose(bytes) == ThreadUse::worthwhile);
}

TEST_CASE("loops on arrays of another size use threads in their own way", "[threads]") {
    ThreadUseHistory history;
    report_each_way(history, 9ms, 8ms, 3ms);
    CHECK(history.choose(bytes) == ThreadUse::none);
    CHECK(history.choose(bytes + 1) == ThreadUse::none);
    CHECK(history.choose(64 * bytes) == ThreadUse::worthwhile);
}

TEST_CASE("there is nothing to learn where threads share nothing, or launches are long", "[threads]") {
    ThreadUseHistory history;
    SECTION("nothing is shared") {
        for (int k = 0; k < 3 * turns; ++k) report(history, 4ms, false);
    }
    SECTION("launches are long") {
        for (int k = 0; k < 3 * turns; ++k) history.report(bytes, {history.choose(bytes), 4ms, 1e6, 20, true});
    }
    CHECK(history.choose(bytes) == ThreadUse::worthwhile);
}

TEST_CASE("all ways of using threads are looked at again", "[threads]") {
    ThreadUseHistory history;
    report_each_way(history, 9ms, 8ms, 3ms);
    int periods = 0;
    for (; history.choose(bytes) == ThreadUse::none; ++periods) report(history, 3ms);
    CHECK(periods <= tuning::periods_between_looks);
    report_each_way(history, 1ms, 8ms, 3ms);
    CHECK(history.choose(bytes) == ThreadUse::worthwhile);
}

TEST_CASE("a run of a loop reports its periods", "[threads]") {
    ThreadUseHistory history;
    for (int k = 0; k < turns; ++k) {
        ThreadUseRun run(&history, bytes);
        CHECK(run.way() == ThreadUse::worthwhile);
        run.launched(100, true);
        run.iterated(true);
    }
    CHECK(ThreadUseRun(&history, bytes).way() == ThreadUse::long_ones);
    ThreadUseRun alone(nullptr, bytes);
    alone.launched(100, true);
    alone.iterated(true);
    CHECK(alone.way() == ThreadUse::worthwhile);
}
