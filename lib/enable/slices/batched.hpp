// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the variables of a vmap's body that differ from slice to slice.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::enable {

using Flags = std::vector<bool>;

/// True if any flag is set.
bool any(const Flags& flags);

/// A variable is batched if it depends on a parameter of the vmap's body: through operands, or because a condition or a
/// count on the way depends on one. For states of a loop this is the least fixed point. Forces, gathers and branches are
/// followed result by result.
class Batched {
  public:
    Batched() = default;
    /// Uses the sizes of the program, too: a slice is batched if its start depends on the slice of the vmap.
    explicit Batched(const ir::SizeTable& sizes) : sizes_(&sizes) {}
    bool operator()(ir::ValueId id) const { return id.index < flags_.size() && flags_[id.index]; }
    Flags operator()(const std::vector<ir::ValueId>& ids) const;

    /// True if a size depends on such a variable; needs the sizes.
    bool operator()(ir::SizeId size) const;

    /// Sets the flags of variables from `level` on, and forgets what was known from there on.
    void set(std::size_t level, const Flags& flags);
    /// The flags of the results of a binding, the first of which is variable `level`. Forgets what was known from there on.
    Flags results(const ir::Binding& binding, std::size_t level);
    /// The flags of the results of a body, given those of its parameters, the first of which is variable `level`.
    Flags body(const ir::Body& body, const Flags& params, std::size_t level);

  private:
    bool depends(const ir::Map& map) const;
    bool begins_elsewhere(const ir::View& view) const;
    Flags cond(const ir::Cond& cond, std::size_t level);
    Flags loop(const ir::Loop& loop, std::size_t level);
    bool depends(const ir::Custom& custom, std::size_t level);

    Flags flags_;  ///< by level
    const ir::SizeTable* sizes_ = nullptr;
};

}  // namespace sinter::enable
