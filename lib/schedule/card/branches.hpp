// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of several launches may run at once: those that touch no memory which one of them writes. Memory is told apart by
/// addresses, not by arrays, because arrays whose time does not overlap may have the same place.
///
/// This alone decides which launch goes to which stream, and for which launches it has to wait there; what writes the events
/// is jit/gpu/device/sequence.cpp for launches that are recorded, jit/gpu/device/concurrent.cpp for those that are not.
#pragma once

#include <cstddef>
#include <vector>

namespace sinter::schedule::card {

struct MemoryAccess {
    const std::byte* begin;
    std::size_t bytes;
    bool writes;
};

/// A launch in one of several streams. What is in a stream runs one after another.
struct Step {
    std::size_t stream = 0;
    std::vector<std::size_t> after;  ///< steps in other streams that have to be done before
    bool is_awaited = false;         ///< a step in another stream, or the end, waits for this one
};

/// Places one launch after another.
class Brancher {
  public:
    explicit Brancher(std::size_t most_streams) : most_(most_streams) {}

    /// The launch that follows in the program; `is_awaited` of it is not known yet.
    const Step& place(std::vector<MemoryAccess> touched);
    const std::vector<Step>& steps() const { return steps_; }
    /// The last step of each stream that has any.
    const std::vector<std::size_t>& last() const { return last_; }
    /// Those of all streams but the first that no other stream's last one waits for.
    std::vector<std::size_t> ends() const;

  private:
    std::vector<std::size_t> needed();
    void add_before(std::size_t earlier);
    std::size_t stream_for(const std::vector<std::size_t>& waits) const;

    const std::size_t most_;
    std::vector<std::vector<MemoryAccess>> launches_;
    std::vector<std::vector<bool>> before_;  ///< of each: which earlier ones are done when it begins
    std::vector<std::size_t> last_;
    std::vector<Step> steps_;
};

struct Branches {
    std::vector<Step> steps;
    std::size_t streams = 1;
    std::vector<std::size_t> last;  ///< the steps in streams other than the first for which the end waits
};

/// `launches`: what each touches, in the order that the program gives them.
Branches branches_of(const std::vector<std::vector<MemoryAccess>>& launches, std::size_t most_streams);

}  // namespace sinter::schedule::card
