// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <ctime>

namespace sinter::fuse::solve {

/// Limits the processor time of this thread: a search returns what it has when it is used up. A busy machine changes when
/// that happens, but not the result.
class Deadline {
  public:
    using Clock = std::chrono::steady_clock;
    explicit Deadline(std::chrono::duration<double> work)
        : earliest_(Clock::now() + std::chrono::duration_cast<Clock::duration>(work)), end_(spent() + work) {}
    bool passed() const {
        const auto now = Clock::now();
        if (now < earliest_) return false;
        const auto left = end_ - spent();
        if (left.count() <= 0) return true;
        earliest_ = now + std::chrono::duration_cast<Clock::duration>(left);
        return false;
    }

  private:
    static std::chrono::duration<double> spent() {
        std::timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return std::chrono::duration<double>(static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec));
    }

    mutable Clock::time_point earliest_;  ///< it cannot pass before this time, which is cheaper to ask for
    std::chrono::duration<double> end_;
};

}  // namespace sinter::fuse::solve
