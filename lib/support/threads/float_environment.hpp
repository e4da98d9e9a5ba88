// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The floating-point environment of a thread: rounding mode, treatment of subnormal numbers, traps and flags.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace sinter {

/// Restores, at the end, the whole environment that it found: for calls of other people's functions, which may change it.
class FloatEnvironment {
  public:
    FloatEnvironment() noexcept { std::fegetenv(&before_); }
    ~FloatEnvironment() { std::fesetenv(&before_); }
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

  private:
    std::fenv_t before_;
};

/// Sets IEEE's default environment for as long as this object lives: rounding to nearest, subnormal numbers kept, no traps.
/// The end restores the previous environment, including raised flags, so that the caller sees nothing of what was computed
/// here. Costs a read and a write of a register: 2 to 3 ns of a call of 150.
class DefaultFloatEnvironment {
  public:
    DefaultFloatEnvironment() noexcept : before_(read()) {
        if (!is_default(before_)) write_default();
    }
    ~DefaultFloatEnvironment() { restore(before_); }
    DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
    DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

#if defined(__x86_64__)
  private:
    using State = unsigned;                                  // MXCSR
    static constexpr State flags = 0x3f, standard = 0x1f80;  // all traps masked
    static State read() noexcept { return _mm_getcsr(); }
    static bool is_default(State state) noexcept { return (state & ~flags) == standard; }
    static void restore(State state) noexcept { _mm_setcsr(state); }

  public:
    /// For a thread of the library, which has nothing to restore.
    static void write_default() noexcept { _mm_setcsr(standard); }
#elif defined(__aarch64__)
  private:
    struct State {
        unsigned long control, flags;
    };
    static State read() noexcept {
        State state;
        asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(state.control), "=r"(state.flags));
        return state;
    }
    static bool is_default(State state) noexcept { return state.control == 0; }
    static void restore(State state) noexcept {
        const State now = read();
        if (now.control != state.control) asm volatile("msr fpcr, %0" : : "r"(state.control));
        if (now.flags != state.flags) asm volatile("msr fpsr, %0" : : "r"(state.flags));
    }

  public:
    /// For a thread of the library, which has nothing to restore.
    static void write_default() noexcept { asm volatile("msr fpcr, %0" : : "r"(0ul)); }
#else
  private:
    using State = std::fenv_t;
    static State read() noexcept {
        State state;
        std::fegetenv(&state);
        return state;
    }
    static bool is_default(const State&) noexcept { return false; }
    static void restore(const State& state) noexcept { std::fesetenv(&state); }

  public:
    /// For a thread of the library, which has nothing to restore.
    static void write_default() noexcept { std::fesetenv(FE_DFL_ENV); }
#endif

  private:
    State before_;
};

}  // namespace sinter
