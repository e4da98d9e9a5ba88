// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processors of this process, and what a waiting thread can do about the one it is on.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace sinter::runtime {

/// The number of processors that this process may use.
inline int usable_processors() {
#if defined(__linux__)
    for (std::size_t room = 1024, most = std::size_t{1} << 20; room <= most; room *= 2) {
        cpu_set_t* const allowed = CPU_ALLOC(room);
        if (!allowed) break;
        const std::size_t bytes = CPU_ALLOC_SIZE(room);
        const bool known = sched_getaffinity(0, bytes, allowed) == 0;
        const bool larger = !known && errno == EINVAL;  // there are more processors than fit
        const int count = known ? CPU_COUNT_S(bytes, allowed) : 0;
        CPU_FREE(allowed);
        if (known) return std::max(1, count);
        if (!larger) break;
    }
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// The bytes of a processor's own data cache of level 1 or 2; 0 if the system does not know.
inline std::int64_t cache_bytes([[maybe_unused]] int level) {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    return std::max<std::int64_t>(0, sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : _SC_LEVEL2_CACHE_SIZE));
#else
    return 0;
#endif
}

/// The processor of the calling thread; -1 if it cannot be known.
inline int current_processor() {
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

/// Moves the calling thread to another processor if it is on this one. (If halted processors of a virtual machine do not
/// count as idle, a thread that wakes is put beside the one that woke it, and stays there for some milliseconds.)
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
