// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Builds functions and kernels instruction by instruction.
#pragma once

#include "ir/function.hpp"

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace sinter::ir {

/// A stack of open blocks. Locals are numbered as function.hpp says. If `share` is set, instructions without blocks (except
/// stores) are hash-consed against those visible in the open blocks: an equal instruction that dominates has the same value
/// and fails in the same cases.
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
    Local emit(Op op, std::initializer_list<Local> operands);  ///< its type follows from the table's rule (not for the rules
                                                               ///< own and cast)
    Local constant(Scalar type, std::uint64_t bits);
    Local constant_index(std::int64_t value) { return constant(Scalar::i64, static_cast<std::uint64_t>(value)); }
    Local cast(Scalar to, Local value);
    Local bit_cast(Scalar to, Local value);

    Scalar type(Local local) const { return types_[local.index]; }
    /// The number of locals in scope.
    std::size_t level() const { return types_.size(); }
    std::size_t depth() const { return frames_.size(); }

  private:
    struct Frame {
        Block block;
        std::size_t base;       ///< number of locals in scope outside
        std::size_t available;  ///< available_.size() before the block
    };
    /// An instruction that later equal ones are replaced by; entries with the same hash form a chain.
    struct Available {
        std::uint64_t hash;
        std::size_t frame, inst;
        Local local;
        std::uint32_t next;
    };
    Local find_equal(const Inst& inst, std::uint64_t hash) const;
    void make_available(std::uint64_t hash, Local local);
    Local append(Inst inst);
    bool share_;
    std::vector<Frame> frames_;
    std::vector<Scalar> types_;
    std::vector<Available> available_;                         ///< a stack: closing a block pops its entries
    std::unordered_map<std::uint64_t, std::uint32_t> newest_;  ///< hash -> newest entry of available_
};

/// Is offered every instruction without blocks that inline_block is about to copy, with operands that are already those of
/// `to`. It may emit something else and return its result, or return nothing to have the instruction copied.
using Rewrite = std::function<std::optional<Local>(BlockBuilder& to, const Inst& inst)>;

/// Copies the instructions of `block` into the innermost open block of `to`; returns the locals of its results. Locals of
/// `block` up to and including its parameters are replaced by `substitution`, indexed by level: its size is the level of the
/// first instruction. Nested blocks are copied in the same way.
std::vector<Local> inline_block(BlockBuilder& to, const Block& block, std::vector<Local> substitution,
                                const Rewrite& rewrite = {});

}  // namespace sinter::ir
