// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

namespace sinter::fuse::solve {

/// A point in time after which a search returns what it has.
class Deadline {
  public:
    using Clock = std::chrono::steady_clock;
    explicit Deadline(std::chrono::duration<double> from_now)
        : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(from_now)) {}
    bool passed() const { return Clock::now() >= end_; }

  private:
    Clock::time_point end_;
};

}  // namespace sinter::fuse::solve
