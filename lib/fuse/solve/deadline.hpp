// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <ctime>

namespace sinter::fuse::solve {

/// After so much work of this thread a search returns what it has. A busy machine changes when, not what.
class Deadline {
  public:
    using Clock = std::chrono::steady_clock;
    explicit Deadline(std::chrono::duration<double> work)
        : earliest_(Clock::now() + std::chrono::duration_cast<Clock::duration>(work)), end_(spent() + work) {}
    bool passed() const { return Clock::now() >= earliest_ && spent() >= end_; }

  private:
    static std::chrono::duration<double> spent() {
        std::timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return std::chrono::duration<double>(static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec));
    }

    Clock::time_point earliest_;  ///< cheaper to ask for
    std::chrono::duration<double> end_;
};

}  // namespace sinter::fuse::solve
