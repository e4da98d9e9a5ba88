// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes blocks of instructions on bit patterns: what functions and kernels have in common, which is arithmetic, cond and
/// loops.
#pragma once

#include "ir/function.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::interp {

using ir::Scalar;

/// The environment is a stack indexed by level, as ir/function.hpp says: entering a block pushes its parameters, every
/// instruction pushes its results, and leaving a block pops all of them. Derived machines implement reads, loads, checks
/// and similar instructions.
class Machine {
  public:
    virtual ~Machine() = default;

    /// Executes `block` with these parameters on top of the current environment; replaces `results` by its results.
    void call(const ir::Block& block, std::span<const std::uint64_t> arguments, std::vector<std::uint64_t>& results);

  protected:
    /// Executes an instruction that this machine does not know, and pushes its results.
    virtual void execute_special(const ir::Inst& inst) = 0;
    /// Called when an integer division by zero is about to give 0.
    virtual void divided_by_zero(const ir::Inst& inst) = 0;

    std::uint64_t operand(const ir::Inst& inst, std::size_t k) const { return values_[inst.operands[k].index].bits; }
    Scalar operand_type(const ir::Inst& inst, std::size_t k) const { return values_[inst.operands[k].index].type; }
    std::int64_t index_operand(const ir::Inst& inst, std::size_t k) const {
        return static_cast<std::int64_t>(operand(inst, k));
    }
    std::vector<std::uint64_t> operands_from(const ir::Inst& inst, std::size_t first) const;
    void push(Scalar type, std::uint64_t value) {
        if (depth_ == values_.size()) values_.resize(2 * depth_ + 64);
        values_[depth_].bits = value;
        values_[depth_++].type = type;
    }
    void push_all(const ir::Inst& inst, std::span<const std::uint64_t> values);

  private:
    void execute(const ir::Inst& inst);
    void execute_pure(const ir::Inst& inst);
    void execute_cond(const ir::Inst& inst);
    void execute_while(const ir::Inst& inst);
    void execute_for(const ir::Inst& inst);

    struct Value {
        std::uint64_t bits;
        Scalar type;
    };

    std::vector<Value> values_;  ///< the first `depth_` are the stack
    std::size_t depth_ = 0;
};

}  // namespace sinter::interp
