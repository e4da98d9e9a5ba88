// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of several launches may run at once: those that touch no memory which one of them writes. Memory is told apart by
/// addresses, not by arrays, because arrays whose time does not overlap may have the same place.
#pragma once

#include <cstddef>
#include <vector>

namespace sinter::gpu {

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

struct Branches {
    std::vector<Step> steps;
    std::size_t streams = 1;
    std::vector<std::size_t> last;  ///< the last steps of all streams but the first, for which the end waits
};

/// `launches`: what each touches, in the order that the program gives them.
Branches branches_of(const std::vector<std::vector<MemoryAccess>>& launches, std::size_t most_streams);

}  // namespace sinter::gpu
