// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches of a device in several streams, while programs start them: those that touch no memory which one of them writes
/// may run at once (schedule/card/branches.hpp), also launches of different threads of the host. Between them and all other
/// work, which is in stream 0, is a join: the other streams begin where stream 0 was, and stream 0 goes on when they are
/// done.
#pragma once

#include "jit/gpu/device/device.hpp"
#include "schedule/card/branches.hpp"
#include "schedule/card/tuning.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace sinter::gpu {

/// Thread-safe. What starts work in stream 0 without start() has to call join() before and after: before, because that work
/// comes after everything; after, because launches in other streams come after that work.
class Concurrent {
  public:
    /// Event k is behind launch k; the one after these, where the streams began.
    static constexpr std::size_t streams = schedule::card::tuning::most_streams, begin = schedule::card::tuning::most_open,
                                 events = begin + 1;
    explicit Concurrent(Streams& all) : all_(all) {}

    /// Starts what `start` starts, which touches this memory and no other, in one of the streams. `start` must not join.
    void start(std::vector<schedule::card::MemoryAccess> touched, const std::function<void()>& start);
    /// What stream 0 gets from now on comes after everything that was started.
    void join();
    /// The streams are lost, with all that was in them.
    void forget();

  private:
    void join_now();

    Streams& all_;
    std::mutex mutex_;                                ///< guards the following, and the order of what is started
    std::optional<schedule::card::Brancher> placed_;  ///< since the last join
    std::array<bool, streams> is_begun_{};            ///< streams that come after where all began
    std::atomic<bool> is_open_{false};                ///< something was placed
};

}  // namespace sinter::gpu
