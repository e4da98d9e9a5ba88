// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a thread executes while it waits for another one.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sinter::arch {

/// To be called between two looks at memory that another thread will change.
inline void pause() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

}  // namespace sinter::arch
