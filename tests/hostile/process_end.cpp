// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library works to the very end of a thread and of the process, and lets both end.
#include "support.hpp"

#include <sinter/async.hpp>

#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include <pthread.h>

using namespace sinter;
using hostile::outcome;

namespace {

/// What a global object does last.
struct Last {
    std::optional<Array<std::int64_t>> array;
    std::optional<Delayed<std::int64_t>> delayed;
    ~Last() {
        if (!array) return;
        const bool known = run(sum(*array + *delayed)).item() == 90;
        const bool unknown = run(max(*array * std::int64_t{7} + std::int64_t{1})).item() == 64;
        const bool interpreted = run(sum(*array), {.target = Target::interpreter()}).item() == 45;
        _exit(known && unknown && interpreted && hostile::sums_agree(3000000, 3) ? 0 : 1);
    }
};
Last last;

void run_at_end() { _exit(hostile::sums_agree(1000, 3) && hostile::sums_agree(3000000, 5) ? 0 : 1); }

}  // namespace

TEST_CASE("programs run in handlers of the end that were registered before the first use") {
    CHECK(outcome([] {
              std::atexit(run_at_end);
              std::exit(2);
          }) == 0);
    CHECK(outcome([] {
              std::atexit(run_at_end);
              hostile::sum_on_library(3000000, 7);
              std::exit(2);
          }) == 0);
}

TEST_CASE("a process ends while better code is generated") {
    for (int k = 0; k < 12; ++k)
        CHECK(outcome([&] {
                  for (int program = 0; program < 3; ++program)
                      for (int j = 0; j < 60; ++j) hostile::run_new_program(1000 + 3 * k + program);
                  std::exit(k);
              }) == k);
}

TEST_CASE("programs run in destructors of global objects") {
    CHECK(outcome([] {
              last.array = run(iota(10));
              last.delayed = Delayed<std::int64_t>(*last.array);
              run(sum(*last.array + *last.delayed));
              std::exit(2);
          }) == 0);
}

TEST_CASE("programs run in destructors of thread_local objects") {
    struct AtThreadEnd {
        std::optional<Array<std::int64_t>> array;
        bool* right = nullptr;
        ~AtThreadEnd() {
            if (right) *right = run(sum(map([](auto v) { return v * 2; }, *array))).item() == 9900;
        }
    };
    bool right = false;
    std::thread([&] {
        static thread_local AtThreadEnd end;  // made before, destroyed after what the library keeps for this thread
        end.array = run(iota(100));
        end.right = &right;
        run(sum(*end.array));
    }).join();
    CHECK(right);
}

TEST_CASE("a process ends while other threads run and compile", THREADS_IN_CHILD) {
    for (int k = 0; k < 8; ++k) {
        const int code = outcome([&] {
            std::thread([] {
                for (int program = 0;; ++program) hostile::run_new_program(program);
            }).detach();
            std::thread([] {
                for (std::int64_t j = 0;; ++j) hostile::sum_on_library(2000000, j);
            }).detach();
            std::this_thread::sleep_for(std::chrono::milliseconds(4 * k));
            std::exit(0);
        });
        CHECK(code == 0);
    }
}

TEST_CASE("a process ends on another thread than the one that runs", THREADS_IN_CHILD) {
    const int code = outcome([] {
        std::thread([] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            std::exit(0);
        }).detach();
        for (int program = 0;; ++program) hostile::run_new_program(program);
    });
    CHECK(code == 0);
}

TEST_CASE("a process ends while results of run_async are on their way", THREADS_IN_CHILD) {
    const int code = outcome([] {
        for (std::int64_t k = 0; k < 20; ++k)
            static_cast<void>(run_async(sum(map([=](auto i) { return i * k; }, iota(1000000)))));
        std::exit(0);
    });
    CHECK(code == 0);
}

TEST_CASE("threads are cancelled while they run programs") {
    for (Fusion fusion : {Fusion::none, Fusion::optimal})
        for (int delay = 0; delay < 4; ++delay)
            CHECK(outcome([=] {
                      std::thread running([=] {
                          for (std::int64_t k = 0;; ++k) {
                              const auto squares = map([=](auto v) { return v * v + k; }, iota(100000 + k));
                              static_cast<void>(run(sum(squares) + max(squares), {.fusion = fusion}).item());
                              pthread_testcancel();
                          }
                      });
                      std::this_thread::sleep_for(std::chrono::milliseconds(5 + 10 * delay));
                      pthread_cancel(running.native_handle());
                      running.join();
                      _exit(hostile::sums_agree(3000000, 3) ? 0 : 1);
                  }) == 0);
}
