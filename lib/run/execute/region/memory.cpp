// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/region/memory.hpp"

#include "run/tuning.hpp"
#include "support/threads/pool.hpp"

#include <new>
#include <utility>

namespace sinter::runtime {

Variable RegionMemory::adopt(Slot slot) {
    if (!slot.owner) return {slot.data, -1};
    Variable variable = add(std::move(slot.owner), -1);
    variable.data = slot.data;
    return variable;
}

Variable RegionMemory::take(std::size_t bytes) {
    if (bytes > tuning::most_kept_bytes) return add(allocate(bytes), -1);
    const std::size_t room = size_class(bytes);
    if (free_.size() <= room) free_.resize(room + 1, -1);
    if (const std::int32_t found = free_[room]; found >= 0) {
        Block& block = blocks_[static_cast<std::size_t>(found)];
        free_[room] = block.next;
        block.names = 1;
        return {block.data, found};
    }
    try {
        return add(backend_.allocate(class_bytes(room)), static_cast<std::int32_t>(room));
    } catch (const std::bad_alloc&) {
        return add(allocate(bytes), -1);  // less may do
    }
}

/// What is kept for later makes way.
BufferRef RegionMemory::allocate(std::size_t bytes) try { return backend_.allocate(bytes); } catch (const std::bad_alloc&) {
    for (std::int32_t& first : free_)
        while (first >= 0) {
            const std::int32_t next = blocks_[static_cast<std::size_t>(first)].next;
            drop(first);
            first = next;
        }
    return backend_.allocate(bytes);
}

Variable RegionMemory::add(BufferRef owner, std::int32_t room) {
    if (unused_.empty()) {
        blocks_.emplace_back();
        unused_.push_back(static_cast<std::int32_t>(blocks_.size()) - 1);
    }
    const std::int32_t block = unused_.back();
    unused_.pop_back();
    void* const data = owner->data;
    blocks_[static_cast<std::size_t>(block)] = {std::move(owner), data, 1, room};
    return {data, block};
}

void RegionMemory::free(std::int32_t block) {
    Block& freed = blocks_[static_cast<std::size_t>(block)];
    if (freed.room < 0) return drop(block);
    freed.next = std::exchange(free_[static_cast<std::size_t>(freed.room)], block);
}

void RegionMemory::drop(std::int32_t block) {
    blocks_[static_cast<std::size_t>(block)].owner.reset();
    unused_.push_back(block);
}

bool RegionMemory::is_alone(const Variable& variable) const {
    if (variable.block < 0) return false;
    const Block& block = blocks_[static_cast<std::size_t>(variable.block)];
    return block.names == 1 && block.owner->reusable && block.owner.use_count() == 1;
}

BufferRef RegionMemory::owner(const Variable& variable) const {
    return variable.block < 0 ? nullptr : blocks_[static_cast<std::size_t>(variable.block)].owner;
}

}  // namespace sinter::runtime
