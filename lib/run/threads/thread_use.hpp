// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches of a loop threads share, learned from how long its iterations take.
///
/// What it costs to share a launch depends on what no price of that launch knows: where its arrays are. If threads share
/// one of a loop's two kernels and the caller has the other one for itself, arrays go from cache to cache in each
/// iteration. That may take three times as long as one thread needs for everything (the first measurement in
/// thread_use.cpp), while the same kernels, both shared or in the company of larger ones, gain. So each way has its turn,
/// and the fastest is kept. Results are the same: how threads share a launch decides no bits.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

namespace sinter::runtime {

/// Launches that threads share.
enum class ThreadUse : std::uint8_t {
    worthwhile,  ///< those whose own time makes up for waking and awaiting threads
    long_ones,   ///< only those that are several times as long
    none
};

/// What is known about a loop, on arrays of so many bytes, to an order of magnitude. Thread-safe.
class ThreadUseHistory {
  public:
    struct Period {
        ThreadUse way;
        std::chrono::nanoseconds time;
        double work;  ///< of its launches, in vector instructions
        std::int64_t launches;
        bool shared;  ///< threads have shared some
    };

    ThreadUse choose(std::size_t bytes);
    void report(std::size_t bytes, const Period& period);

  private:
    static constexpr int ways = 3;
    struct Known {
        std::array<double, ways> best{};  ///< ns an instruction; 0 where nothing is known
        std::array<int, ways> periods{};
        bool settled = false;  ///< there is nothing to learn
        int since = 0;         ///< periods since the last look at all ways
        ThreadUse choice = ThreadUse::worthwhile;
    };
    void decide(Known& known);

    std::mutex mutex_;
    std::map<int, Known> known_;  ///< by the number of bits of the bytes
};

/// A run of a loop: after some milliseconds, at the end of an iteration, its next period begins.
class ThreadUseRun {
  public:
    /// `history` is null where there is nothing to decide.
    ThreadUseRun(ThreadUseHistory* history, std::size_t bytes);
    ThreadUse way() const { return way_; }
    void launched(double work, bool shared) {
        work_ += work;
        ++launches_;
        shared_ = shared_ || shared;
    }
    /// At the end of an iteration; `last`: of the run.
    void iterated(bool last);

  private:
    using Clock = std::chrono::steady_clock;
    ThreadUseHistory* const history_;
    const std::size_t bytes_;
    ThreadUse way_ = ThreadUse::worthwhile;
    Clock::time_point begin_;
    double work_ = 0;
    std::int64_t launches_ = 0;
    std::int64_t looked_ = 0;  ///< launches when the clock was last looked at
    bool shared_ = false;
};

}  // namespace sinter::runtime
