// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/tuning.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>

namespace sinter::fuse::solve {

/// Limits the processor time of this thread: a search returns what it has when it is used up. A busy machine changes when
/// that happens, but not the result. Processes that have to find the same clusters count looks at the deadline instead.
class Deadline {
  public:
    /// From now on, deadlines of this process that are made count looks, or do not.
    static void count_looks(bool count) { counted_.store(count, std::memory_order_relaxed); }

    using Clock = std::chrono::steady_clock;
    explicit Deadline(std::chrono::duration<double> work)
        : earliest_(Clock::now() + std::chrono::duration_cast<Clock::duration>(work)), end_(spent() + work) {
        if (counted_.load(std::memory_order_relaxed))
            looks_ = static_cast<std::int64_t>(work / std::chrono::duration<double>(tuning::time_of_look));
    }
    bool passed() const {
        if (looks_) return --*looks_ < 0;
        const auto now = Clock::now();
        if (now < earliest_) return false;
        const auto left = end_ - spent();
        if (left.count() <= 0) return true;
        earliest_ = now + std::chrono::duration_cast<Clock::duration>(left);
        return false;
    }

  private:
    inline static std::atomic<bool> counted_{false};

    static std::chrono::duration<double> spent() {
        std::timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return std::chrono::duration<double>(static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec));
    }

    mutable Clock::time_point earliest_;  ///< it cannot pass before this time, which is cheaper to ask for
    std::chrono::duration<double> end_;
    mutable std::optional<std::int64_t> looks_;  ///< that are left
};

}  // namespace sinter::fuse::solve
