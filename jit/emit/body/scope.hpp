// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of a kernel's locals, by level, at the place where code is being written.
#pragma once

#include "jit/emit/code/variables.hpp"
#include "lower/kernel.hpp"

#include <vector>

namespace sinter::emit {

using lower::Block;
using lower::Inst;
using Operands = llvm::SmallVector<const Value*, 4>;

class Scope {
  public:
    /// The locals of a block, its parameters first. They are forgotten when this ends.
    class Frame {
      public:
        explicit Frame(Scope& scope) : scope_(scope), base_(scope.size()) {}
        Frame(Scope& scope, const Values& params) : Frame(scope) { scope.add(params); }
        ~Frame() { scope_.values_.resize(base_); }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;

      private:
        Scope& scope_;
        std::size_t base_;
    };

    std::size_t size() const { return values_.size(); }
    const Value& operator[](ir::Local local) const { return values_[local.index]; }
    const Value& operand(const Inst& inst, std::size_t k) const { return (*this)[inst.operands[k]]; }
    Operands operands(const Inst& inst) const;
    /// Returns true if a local varies from lane to lane or from row to row, or is not known here.
    bool varies(ir::Local local) const { return !(*this)[local].is_uniform(); }

    void add(const Values& values) { values_.insert(values_.end(), values.begin(), values.end()); }
    void add(Value value) { values_.push_back(std::move(value)); }
    void set(ir::Local local, Value value) { values_[local.index] = std::move(value); }
    /// Adds locals that are not known here.
    void add_unknown(std::size_t count) { values_.resize(values_.size() + count); }
    /// Turns lanes of one column into lanes of several columns; every value is the same in all of them.
    void repeat_in_columns(Code& code, int columns);

  private:
    std::vector<Value> values_;
};

}  // namespace sinter::emit
