// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which variables of a vmap's body differ from slice to slice.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::enable {

using Flags = std::vector<bool>;

/// Whether any is set.
bool any(const Flags& flags);

/// A variable is batched if it depends on a parameter of the vmap's body: through operands, or because a condition or a
/// count on its way does. States of a loop: the least fixed point. Forces, gathers and branches count result by result.
class Batched {
  public:
    bool operator()(ir::ValueId id) const { return id.index < flags_.size() && flags_[id.index]; }
    Flags operator()(const std::vector<ir::ValueId>& ids) const;

    /// Variables from `level` on are these; what was known from there on is forgotten.
    void set(std::size_t level, const Flags& flags);
    /// What the results of a binding are, the first of which is variable `level`. Forgets what was known from there on.
    Flags results(const ir::Binding& binding, std::size_t level);
    /// The same for those of a body, given its parameters, the first of which is variable `level`.
    Flags body(const ir::Body& body, const Flags& params, std::size_t level);

  private:
    bool depends(const ir::Map& map) const;
    Flags cond(const ir::Cond& cond, std::size_t level);
    Flags loop(const ir::Loop& loop, std::size_t level);

    Flags flags_;  ///< by level
};

}  // namespace sinter::enable
