// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cost of sharing a loop among threads, and the loops for which it pays.
#pragma once

#include "run/calibration.hpp"

#include <chrono>

namespace sinter::runtime {

/// Microseconds of a loop on all threads that does nothing: if they are awake, and if they sleep and have to be woken.
inline constexpr const char* loop_shared = "share loop us";
inline constexpr const char* loop_woken = "wake threads us";

/// Takes some 200 ms; both costs are 0 if there is one thread.
Calibration measure_threads();

/// The time that a loop needs on one thread from which on other threads pay: if they are awake, and if they have to be
/// woken.
struct WorthSharing {
    std::chrono::nanoseconds awake, asleep;
};

/// As calibrated, or else the usual values.
WorthSharing worth_sharing(const Calibration& calibration);

}  // namespace sinter::runtime
