// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a loop kernel keeps arrays: states where they are, what else a step makes in memory of the kernel's own.
#pragma once

#include "run/plan/loop_sizes.hpp"

#include <span>

namespace sinter::runtime {

class LoopMemory {
  public:
    /// Adds to the buffers of `kernel`.
    LoopMemory(lower::Kernel& kernel, lower::BlockWriter& to, LoopSizes& sizes) : kernel_(kernel), to_(to), sizes_(sizes) {}

    bool is_output(const lower::Place& place) const;
    /// True if the kernel may change what is there.
    bool is_writable(const lower::Place& place) const;

    /// Memory for an array that no state has room for, as much as it takes in any step.
    lower::Place own(const ir::Type& type, LoopScope& scope);
    /// The same with a copy of an array.
    lower::Place copied(const lower::Place& place, const ir::Type& type, LoopScope& scope);
    /// Ends a step: what the next states are moves to where states are. `types`: those of the states, in front of others.
    void settle(const std::vector<lower::Place>& next, const std::vector<lower::Place>& states,
                std::span<const ir::Type> types, LoopScope& scope);

  private:
    void copy(std::size_t from, std::size_t to, const ir::Type& type, LoopScope& scope);

    lower::Kernel& kernel_;
    lower::BlockWriter& to_;
    LoopSizes& sizes_;
};

}  // namespace sinter::runtime
