// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Records what the library does, and when, while somebody profiles. Otherwise an event costs the load of a flag.
#pragma once

#include "support/threads/process.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinter {

using Clock = std::chrono::steady_clock;

enum class EventKind : std::uint8_t { stage, kernel };

struct Event {
    EventKind kind;
    std::string name;
    const void* kernel = nullptr;  ///< tells kernels with the same name apart
    Clock::time_point begin;
    Clock::duration time{};
    double bytes = 0;      ///< read and written
    double bandwidth = 0;  ///< bytes per second of copying memory where it ran; 0 for the host's
    int thread = 0;        ///< counted from 1; filled in on recording
};

/// All events of one kernel, or of one stage.
struct Totals {
    std::uint64_t calls = 0;
    Clock::duration time{};
    double bytes = 0;
    double bandwidth = 0;
};

struct Recording {
    using Key = std::pair<std::string, const void*>;
    Clock::time_point start;
    std::vector<Event> events;  ///< the first million
    std::map<Key, Totals> kernels, stages;
    std::size_t bytes_before = 0;  ///< of arrays on the host, in use when recording began
    std::size_t bytes_most = 0;    ///< the most since then
};

/// The recorder of events. Thread-safe.
class Recorder {
  public:
    static Recorder& shared();
    bool active() const { return active_.load(std::memory_order_relaxed); }
    /// Discards what was recorded before.
    void start();
    Recording stop();
    /// Does nothing unless active.
    void record(Event event);

  private:
    std::atomic<bool> active_{false};
    ForkMutex mutex_;
    Recording recording_;
};

/// Times a stage of compilation, until the end of the scope.
class StageTimer {
  public:
    explicit StageTimer(const char* name) : name_(name) {
        if (Recorder::shared().active()) begin_ = Clock::now();
    }
    ~StageTimer() {
        if (begin_ != Clock::time_point()) finish();
    }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

  private:
    void finish() noexcept;

    const char* name_;
    Clock::time_point begin_;
};

}  // namespace sinter
