// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which values of a scalar function may be infinite or NaN although what it is applied to is finite and not large.
#pragma once

#include "ir/function.hpp"

#include <vector>

namespace sinter::ir::derivative {

class InfiniteLocals {
  public:
    /// By parameter and by array of the function: true if it, or one of its elements, may be infinite. What is missing is
    /// finite.
    InfiniteLocals(std::vector<bool> params, std::vector<bool> slots)
        : infinite_(std::move(params)), slots_(std::move(slots)) {}

    bool operator()(Local local) const { return local.index < infinite_.size() && infinite_[local.index]; }
    /// Defines the results of an instruction, the first of which is local `level`.
    void define(const Inst& inst, std::size_t level);
    void forget(std::size_t level) {
        if (infinite_.size() > level) infinite_.resize(level);
    }

  private:
    std::vector<bool> results(const Inst& inst, std::size_t level);
    std::vector<bool> branch(const Inst& inst, std::size_t level);
    bool uses_infinite(const Inst& inst) const;

    std::vector<bool> infinite_;  ///< by level
    std::vector<bool> slots_;
};

/// By result of the function.
std::vector<bool> infinite_results(const Fn& fn, std::vector<bool> params, std::vector<bool> slots);

}  // namespace sinter::ir::derivative
