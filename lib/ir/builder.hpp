// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Builds functions and kernels instruction by instruction.
#pragma once

#include "ir/function.hpp"

#include <initializer_list>
#include <span>
#include <vector>

namespace sinter::ir {

/// A stack of open blocks. Locals are numbered as function.hpp says. Constants and pure instructions are hash-consed
/// against those visible in the open blocks when `share` is set.
class BlockBuilder {
  public:
    explicit BlockBuilder(bool share = true) : share_(share) {}

    /// Opens a block whose parameters have these types; returns its first parameter's local (the rest follow).
    Local open(std::span<const Scalar> params);
    Local open(std::initializer_list<Scalar> params) { return open(std::span(params.begin(), params.size())); }
    /// Closes the innermost block with these results.
    Block close(std::vector<Local> results);

    /// Appends an instruction to the innermost open block; returns its first result.
    Local emit(Inst inst);
    Local emit(Op op, std::initializer_list<Local> operands);  ///< type by the table's rule (not for own and cast rules)
    Local constant(Scalar type, std::uint64_t bits);
    Local constant_index(std::int64_t value) { return constant(Scalar::i64, static_cast<std::uint64_t>(value)); }
    Local cast(Scalar to, Local value);
    Local bit_cast(Scalar to, Local value);

    Scalar type(Local local) const { return types_[local.index]; }
    /// Number of locals in scope.
    std::size_t level() const { return types_.size(); }
    std::size_t depth() const { return frames_.size(); }

  private:
    struct Frame {
        Block block;
        std::size_t base;
    };
    Local find_equal(const Inst& inst) const;
    bool share_;
    std::vector<Frame> frames_;
    std::vector<Scalar> types_;
    std::vector<std::pair<Inst, Local>> available_;
};

/// Copies the instructions of `block` into the innermost open block of `to`, its parameters (and any outer local
/// below `base`) replaced by `substitution` (indexed by the local's level); returns the locals of its results.
/// `rewrite`, where given, is offered each instruction (operands already substituted) and may return its result itself.
std::vector<Local> inline_block(BlockBuilder& to, const Block& block, std::vector<Local> substitution);

}  // namespace sinter::ir
