// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was started and is not done. Work is delayed until somebody waits for it, or chance has a little of it done.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace driver {

using Task = std::function<void()>;
using Graph = std::vector<Task>;

class Stream {
  public:
    /// Into the graph that is captured, if there is one.
    void start(Task task);
    void finish() { finish_until(started_); }
    /// Until all that was started before `time`.
    void finish_until(std::uint64_t time);
    std::uint64_t time() const { return started_; }
    /// What was started is forgotten.
    void abandon();

    void begin_capture() { is_capturing_ = true; }
    Graph end_capture();
    bool is_capturing() const { return is_capturing_; }

  private:
    std::deque<Task> tasks_;
    std::uint64_t started_ = 0, done_ = 0;
    bool is_capturing_ = false;
    Graph captured_;
};

struct Event {
    Stream* stream = nullptr;  ///< null before it is recorded
    std::uint64_t time = 0;
};

/// A copy that is to be done later. What it reads of the host must then be as it is now.
Task copy(std::uint64_t to, std::uint64_t from, std::size_t bytes);
Task fill(std::uint64_t to, unsigned char value, std::size_t bytes);

}  // namespace driver
