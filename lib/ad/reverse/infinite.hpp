// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the variables with elements that may be infinite or NaN although what the program is applied to is finite and not
/// large: quotients, logarithms and what is computed from them. Where a select does not take something that they go into,
/// the derivative must not multiply 0 by them.
#pragma once

#include "ad/reverse/flags.hpp"
#include "ir/program.hpp"

namespace sinter::ad {

class Infinite {
  public:
    bool operator()(ir::ValueId id) const { return id.index < flags_.size() && flags_[id.index]; }
    Flags operator()(const std::vector<ir::ValueId>& ids) const;

    /// Sets the flags of variables from `level` on, and forgets what was known from there on.
    void set(std::size_t level, const Flags& flags);
    /// The flags of the results of a binding, the first of which is variable `level`. Forgets what was known from there on.
    Flags results(const ir::Binding& binding, std::size_t level);

  private:
    Flags of_function(const ir::Fn& fn, Flags params, const ir::Captures& captures) const;
    Flags fold(const ir::Fold& fold) const;
    Flags scan(const ir::Scan& scan) const;
    Flags cond(const ir::Cond& cond, std::size_t level);
    Flags loop(const ir::Loop& loop, std::size_t level);
    Flags body(const ir::Body& body, const Flags& params, std::size_t level);

    Flags flags_;  ///< by level
};

}  // namespace sinter::ad
