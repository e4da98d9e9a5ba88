// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point modes that a caller may have set.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hostile {

/// Subnormal numbers are zero, rounding is upwards: as far from the default as an environment without traps can be.
class Odd {
  public:
    Odd() {
        std::fegetenv(&before_);
        std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
        _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
        std::feclearexcept(FE_ALL_EXCEPT);
    }
    ~Odd() { std::fesetenv(&before_); }
    Odd(const Odd&) = delete;
    Odd& operator=(const Odd&) = delete;

    /// As it was set, and no flag raised but what any C++ raises (hash tables of the standard library divide).
    static bool is_untouched() {
#if defined(__x86_64__)
        if ((_mm_getcsr() & ~0x3fU) != (0x1f80 | 0x8040 | 0x4000)) return false;
#endif
        return std::fegetround() == FE_UPWARD && std::fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT) == 0;
    }

  private:
    std::fenv_t before_;
};

}  // namespace hostile
