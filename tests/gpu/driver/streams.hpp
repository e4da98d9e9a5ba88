// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was started and is not done. Work is delayed until somebody waits for it, or chance has a little of it done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace driver {

using Task = std::function<void()>;

struct Node {
    Task task;
    std::vector<std::size_t> after;  ///< nodes that have to be done before
};
using Graph = std::vector<Node>;
/// The nodes in any order that their edges allow.
std::vector<std::size_t> any_order(const Graph& graph);

class Stream;

/// A graph while it is captured, and the streams that take part.
struct Capture {
    Graph graph;
    std::vector<Stream*> streams;
};

/// Where a stream was: in a capture, the nodes behind which it went on.
struct Event {
    Stream* stream = nullptr;  ///< null before it is recorded
    std::uint64_t time = 0;
    std::shared_ptr<Capture> capture;
    std::vector<std::size_t> nodes;
};

class Stream {
  public:
    /// A hurried one sometimes does all that was started at once: what does not wait for other streams is done before them.
    explicit Stream(bool is_hurried = false) : is_hurried_(is_hurried) {}

    /// Into the graph that is captured, if there is one.
    void start(Task task);
    void finish() { finish_until(started_); }
    /// The same for the host, which then knows that it is done.
    void finish_for_host() { finish(), known_ = started_; }
    bool is_known(std::uint64_t time) const { return time <= known_; }
    /// Until all that was started before `time`.
    void finish_until(std::uint64_t time);
    /// What was started is forgotten.
    void abandon();

    Event event() { return {this, started_, capture_, last_}; }
    /// What is started from now on comes after the event. Joins the capture that the event belongs to.
    void wait(const Event& event, bool is_dropped);

    void begin_capture() { join(std::make_shared<Capture>()); }
    /// complete: all that was captured has to come before where the stream is now.
    Graph end_capture(bool complete);
    bool is_capturing() const { return capture_ != nullptr; }

  private:
    void join(std::shared_ptr<Capture> capture);

    std::deque<Task> tasks_;
    std::uint64_t started_ = 0, done_ = 0, known_ = 0;
    bool is_hurried_;
    std::shared_ptr<Capture> capture_;
    std::vector<std::size_t> last_;  ///< nodes of the capture behind which the next one comes
};

/// A copy that is to be done later. What it reads of the host must then be as it is now, and what it touches of cards be
/// memory of these.
Task copy(std::uint64_t to, int to_device, std::uint64_t from, int from_device, std::size_t bytes);
Task fill(std::uint64_t to, int device, unsigned char value, std::size_t bytes);
/// True if the address is in memory of a card.
bool is_on_card(std::uint64_t address);

}  // namespace driver
