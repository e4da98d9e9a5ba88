// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that end, fork or die, each in a process of its own.
#pragma once

#include <sinter/sinter.hpp>

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

// Tests whose child processes start threads. The thread sanitizer takes these for earlier threads of the parent if it had
// any, and then ends the child: there, each such test is run on its own, by name.
#if defined(__SANITIZE_THREAD__)
#define THREADS_IN_CHILD "[.][threads_in_child]"
#else
#define THREADS_IN_CHILD "[threads_in_child]"
#endif

namespace hostile {

constexpr int hangs = -1;

/// Calls f in a child process, which exits with 0 if f returns. Its exit code; 128 and more: killed by a signal.
template <class F>
int outcome(F f, std::chrono::seconds limit = std::chrono::seconds(20)) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        f();
        _exit(0);
    }
    const auto deadline = std::chrono::steady_clock::now() + limit;
    for (;;) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (std::chrono::steady_clock::now() > deadline) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return hangs;
}

/// The sum of (i * k) ^ (i >> 3) for i below n.
inline std::int64_t sum_on_library(std::int64_t n, std::int64_t k) {
    return sinter::run(sinter::sum(sinter::map([=](auto i) { return (i * k) ^ (i >> 3); }, sinter::iota(n)))).item();
}
inline std::int64_t sum_by_hand(std::int64_t n, std::int64_t k) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += (i * k) ^ (i >> 3);
    return sum;
}
inline bool sums_agree(std::int64_t n, std::int64_t k) { return sum_on_library(n, k) == sum_by_hand(n, k); }

/// One of many programs that have to be compiled: `k` decides its structure.
inline std::int64_t run_new_program(int k) {
    auto f = [=](auto i) {
        sinter::Exp<std::int64_t> e = i;
        for (int q = 0; q < 12; ++q) e = k >> q & 1 ? e * 3 + i : e ^ i;
        return e;
    };
    return sinter::run(sinter::sum(sinter::map(f, sinter::iota(100)))).item();
}

}  // namespace hostile
