// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a thread that waits can do about the processor it is on.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace sinter::runtime {

/// Between two looks at memory that another thread will change.
inline void pause() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

/// -1 where it cannot be known.
inline int current_processor() {
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

/// Moves the calling thread to another processor if it is on this one. (Where halted processors of a virtual machine do not
/// count as idle, a thread that wakes is put beside the one that woke it, and stays for some milliseconds.)
inline void leave_processor([[maybe_unused]] int processor) {
#if defined(__linux__)
    if (processor < 0 || sched_getcpu() != processor) return;
    cpu_set_t allowed, others;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    others = allowed;
    CPU_CLR(processor, &others);
    if (CPU_COUNT(&others) == 0) return;
    if (sched_setaffinity(0, sizeof others, &others) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
#endif
}

}  // namespace sinter::runtime
