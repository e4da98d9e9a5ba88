// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The arrays of a region. An array that nothing names any more leaves its memory to the next one of about its size, without
/// a lock, a count that threads share, or an allocation: from the second iteration on a region allocates nothing.
#pragma once

#include "run/backend.hpp"
#include "run/execute/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::runtime {

/// A variable of a region. Those without a block are in memory that lives longer than the region, or than the variable.
struct Variable {
    void* data = nullptr;
    std::int32_t block = -1;
};

/// For one thread. What variables name is counted here: each is shared, moved and released, never just copied or dropped.
class RegionMemory {
  public:
    explicit RegionMemory(Backend& backend) : backend_(backend) {}
    RegionMemory(const RegionMemory&) = delete;
    RegionMemory& operator=(const RegionMemory&) = delete;

    /// Memory from outside: without a block where the slot has no owner.
    Variable adopt(Slot slot);
    /// Uninitialised. Throws std::bad_alloc.
    Variable take(std::size_t bytes);
    /// Another name of the same.
    Variable share(const Variable& variable) {
        if (variable.block >= 0) ++block(variable).names;
        return variable;
    }
    /// The variable has nothing then.
    void release(Variable& variable) {
        if (variable.block >= 0 && --block(variable).names == 0) free(variable.block);
        variable = {};
    }
    /// Whether nobody else can see it, so that it may be overwritten.
    bool is_alone(const Variable& variable) const;
    /// Forgets the copy that a device keeps of an array which is about to be overwritten.
    void forget_copy(const Variable& variable) { block(variable).owner->copy.reset(); }
    /// Null for what has no block.
    BufferRef owner(const Variable& variable) const;

  private:
    struct Block {
        BufferRef owner;  ///< seen by nobody else before the region ends, if the block is kept for others
        void* data = nullptr;
        std::int32_t names = 0;
        std::int32_t room = -1;  ///< its class, if it is kept for others
        std::int32_t next = -1;  ///< behind it in its list
    };

    Block& block(const Variable& variable) { return blocks_[static_cast<std::size_t>(variable.block)]; }
    Variable add(BufferRef owner, std::int32_t room);
    BufferRef allocate(std::size_t bytes);
    void free(std::int32_t block);
    void drop(std::int32_t block);

    Backend& backend_;
    std::vector<Block> blocks_;
    std::vector<std::int32_t> unused_;  ///< blocks without memory
    std::vector<std::int32_t> free_;    ///< by class: the first of a list
};

}  // namespace sinter::runtime
