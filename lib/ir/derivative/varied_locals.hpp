// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which values of a scalar function depend on its wanted parameters and arrays through floating-point numbers.
#pragma once

#include "ir/function.hpp"

#include <vector>

namespace sinter::ir::derivative {

class VariedLocals {
  public:
    VariedLocals(std::vector<bool> params, const std::vector<bool>& slots) : varied_(std::move(params)), slots_(slots) {}

    bool operator()(Local local) const { return local.index < varied_.size() && varied_[local.index]; }
    bool wants(std::size_t slot) const { return slots_[slot]; }
    std::size_t level() const { return varied_.size(); }
    void forget(std::size_t level) { varied_.resize(level); }
    void push(bool varied) { varied_.push_back(varied); }

    /// True if something varied is an operand of the instruction, or is used from outside by its blocks.
    bool reaches(const Inst& inst) const;
    /// Defines the instruction's results.
    void define(const Inst& inst);

  private:
    std::vector<bool> varied_;
    const std::vector<bool>& slots_;
};

}  // namespace sinter::ir::derivative
