// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Adjoints that are masked: 0 at some points, because what they are adjoints of is not used there. These are adjoints of
/// what a select or a branch chooses from, and of arrays of which only some elements are read, and what is computed from
/// them.
#pragma once

#include "ad/reverse/flags.hpp"
#include "ir/program.hpp"

namespace sinter::ad {

/// By new names. Variables of the function that is differentiated are not masked: that they may be 0 does not count.
class Masked {
  public:
    bool operator()(ir::ValueId id) const { return id.index < flags_.size() && flags_[id.index]; }
    /// Has to be told of each binding of a reverse sweep, with the number of its first result.
    void see_adjoint(const ir::Binding& binding, std::size_t level);
    /// The same of other bindings.
    void see_primal(const ir::Binding& binding, std::size_t level);
    /// A cotangent from outside is masked unless all its elements are one number that is not 0.
    void see_cotangent(ir::ValueId id) { set(id, !(id.index < nonzero_.size() && nonzero_[id.index])); }
    void set(ir::ValueId id, bool masked);
    /// Forgets variables from this one on.
    void forget(std::size_t level);

  private:
    void define(std::size_t level, const Flags& flags);
    Flags flags_of(const ir::Binding& binding) const;
    Flags operator()(const std::vector<ir::ValueId>& ids) const;

    Flags flags_;    ///< by level
    Flags nonzero_;  ///< by level: all elements are one number that is not 0
};

}  // namespace sinter::ad
