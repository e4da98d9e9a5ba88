// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child of a fork() runs programs, whatever other threads of its parent were at.
#include "support.hpp"

#include <sinter/async.hpp>

#include <atomic>
#include <future>
#include <vector>

using namespace sinter;
using hostile::outcome;

namespace {

bool runs_everything() {
    return hostile::sums_agree(2000000, 3) && hostile::sums_agree(1000, 5) && hostile::run_new_program(77);
}

}  // namespace

TEST_CASE("children run programs on several threads, known and new ones", "[emulated_card]") {
    REQUIRE(hostile::sums_agree(2000000, 3));
    for (int k = 0; k < 5; ++k) CHECK(outcome([] { _exit(runs_everything() ? 0 : 1); }) == 0);
}

#if !defined(__SANITIZE_ADDRESS__)  // whose own allocator has locks that a child finds locked
TEST_CASE("children of a process whose other threads run and compile", "[emulated_card]") {
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k)
        threads.emplace_back([&, k] {
            for (int j = 0; !stop; ++j) {
                hostile::sum_on_library(200000 + k, j);
                hostile::run_new_program(j * 3 + k);
            }
        });
    for (int k = 0; k < 10; ++k) CHECK(outcome([] { _exit(runs_everything() ? 0 : 1); }) == 0);
    stop = true;
    for (std::thread& thread : threads) thread.join();
}
#endif

TEST_CASE("a foreign function forks") {
    auto f = [](const Array<std::int64_t>& a) {
        const int code = outcome([] { _exit(runs_everything() ? 0 : 1); });
        return run(a + std::int64_t{code});
    };
    CHECK(run(foreign("forks", f, iota(5))).to_vector() == std::vector<std::int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("a child ends though its parent has results on their way") {
    auto result = run_async(sum(map([](auto i) { return i % 7; }, iota(30000000))));
    CHECK(outcome([] { std::exit(0); }) == 0);
    CHECK(outcome([] { _exit(runs_everything() ? 0 : 1); }) == 0);
    result.get();
}

TEST_CASE("children of a process that generates better code in the background") {
    for (int k = 0; k < 12; ++k) {
        for (int j = 0; j < 60; ++j) hostile::run_new_program(900 + k);  // more often than quick code is launched
        CHECK(outcome([&] {
                  for (int j = 0; j < 60; ++j) hostile::run_new_program(900 + k), hostile::run_new_program(950 + k);
                  _exit(runs_everything() ? 0 : 1);
              }) == 0);
    }
}
