// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What sharing a loop among threads costs, and from when on it pays.
#pragma once

#include "run/calibration.hpp"

#include <chrono>

namespace sinter::runtime {

/// Microseconds of a loop that does nothing on all threads: where they are awake; where they sleep and are woken.
inline constexpr const char* loop_shared = "share loop us";
inline constexpr const char* loop_woken = "wake threads us";

/// Some 200 ms; both 0 where there is one thread.
Calibration measure_threads();

/// Time a loop needs on one thread from which on others are worth having: if they are awake, if they are to be woken.
struct WorthSharing {
    std::chrono::nanoseconds awake, asleep;
};

/// As calibrated, else what is usual.
WorthSharing worth_sharing(const Calibration& calibration);

}  // namespace sinter::runtime
