// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parallel loops over chunks. Which thread runs a chunk never influences a result.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sinter::runtime {

/// Calls body(context, k) for k in [0, count), on at most `threads` threads; returns when all are done. With one chunk or
/// one thread, everything runs on the caller's thread. If a call throws, the exception is rethrown to the caller, and
/// remaining calls may be omitted.
void parallel_for(std::int64_t count, int threads, void (*body)(void* context, std::int64_t k), void* context);

/// True if a loop for which one thread needs `time` is worth more than that thread, given that sleeping threads are worth
/// waking for a loop of `worth_waking`.
bool threads_ready(std::chrono::nanoseconds time, std::chrono::nanoseconds worth_waking);

template <class F>
void parallel_for(std::int64_t count, int threads, F&& body) {
    parallel_for(count, threads, [](void* f, std::int64_t k) { (*static_cast<F*>(f))(k); }, &body);
}

/// Copies memory that does not overlap.
void copy_bytes(void* to, const void* from, std::size_t bytes, int threads);

/// The number of processors that this process may use; SINTER_THREADS where set.
int default_threads();

}  // namespace sinter::runtime
