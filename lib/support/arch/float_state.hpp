// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The registers that hold the floating-point modes and flags of a thread: MXCSR on x86, FPCR and FPSR on aarch64.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace sinter::arch {

#if defined(__x86_64__)

class FloatState {
  public:
    static FloatState read() noexcept { return FloatState(_mm_getcsr()); }
    /// True if numbers are rounded to nearest, subnormal numbers kept, and nothing traps. Flags do not matter.
    bool is_default() const noexcept { return (word_ & ~flags) == standard; }
    void restore() const noexcept { _mm_setcsr(word_); }
    static void write_default() noexcept { _mm_setcsr(standard); }

  private:
    explicit FloatState(unsigned word) noexcept : word_(word) {}
    static constexpr unsigned flags = 0x3f, standard = 0x1f80;  // all traps masked
    unsigned word_;
};

#elif defined(__aarch64__)

class FloatState {
  public:
    static FloatState read() noexcept {
        FloatState state;
        asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(state.control_), "=r"(state.flags_));
        return state;
    }
    bool is_default() const noexcept { return control_ == 0; }
    /// Reads first, because a write costs more than a read.
    void restore() const noexcept {
        const FloatState now = read();
        if (now.control_ != control_) asm volatile("msr fpcr, %0" : : "r"(control_));
        if (now.flags_ != flags_) asm volatile("msr fpsr, %0" : : "r"(flags_));
    }
    static void write_default() noexcept { asm volatile("msr fpcr, %0" : : "r"(0ul)); }

  private:
    unsigned long control_ = 0, flags_ = 0;
};

#else

class FloatState {
  public:
    static FloatState read() noexcept {
        FloatState state;
        std::fegetenv(&state.environment_);
        return state;
    }
    bool is_default() const noexcept { return false; }
    void restore() const noexcept { std::fesetenv(&environment_); }
    static void write_default() noexcept { std::fesetenv(FE_DFL_ENV); }

  private:
    std::fenv_t environment_;
};

#endif

}  // namespace sinter::arch
