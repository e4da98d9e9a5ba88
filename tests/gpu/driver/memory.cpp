// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"

#include <cstring>
#include <iterator>
#include <utility>

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace driver {

namespace {

constexpr unsigned char fresh = 0xa5;
constexpr std::size_t most_spare = std::size_t{32} << 20;
constexpr std::uint64_t card_bit = std::uint64_t{1} << 52;  ///< no address of a process has it

}  // namespace

Memory& Memory::get() {
    static auto* memory = new Memory;
    return *memory;
}

/// What was given back takes less time than what the system has to make. Its cells speak of launches that are over.
void* Memory::any_memory(std::size_t bytes, bool pinned, Cells& cells) {
    const auto found = pinned ? spare_.end() : spare_.find(bytes);
    if (found == spare_.end()) {
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? nullptr : memory;
    }
    void* memory = place_of(found->second.begin);
    cells = std::move(found->second.cells);
    spare_.erase(found);
    spare_bytes_ -= bytes;
    return memory;
}

std::uint64_t Memory::allocate(std::size_t bytes, bool pinned, int device) {
    if (bytes == 0 || (!pinned && bytes > device_memory - taken_[device])) return 0;
    Cells cells;
    void* memory = any_memory(bytes, pinned, cells);
    if (!memory) return 0;
    std::memset(memory, fresh, bytes);
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(memory) | (pinned ? 0 : card_bit);
    allocations_[address] = {address, bytes, device, pinned, true, std::move(cells)};
    if (!pinned) taken_[device] += bytes;
    last_ = nullptr;
    return address;
}

bool Memory::release(std::uint64_t address) {
    const auto found = allocations_.find(address);
    if (found == allocations_.end()) return false;
    Allocation& released = found->second;
    const std::size_t bytes = released.bytes;
    if (!released.pinned) taken_[released.device] -= bytes;
    if (!released.pinned && spare_bytes_ + bytes <= most_spare) {
        spare_bytes_ += bytes;
        spare_.emplace(bytes, std::move(released));
    } else {
        munmap(place_of(address), bytes);
    }
    allocations_.erase(found);
    last_ = nullptr;
    return true;
}

void Memory::release_all(int device) {
    for (auto next = allocations_.begin(); next != allocations_.end();) {
        const auto here = next++;
        if (here->second.device == device) release(here->first);
    }
}

Allocation* Memory::find(std::uint64_t address, std::size_t bytes) {
    auto has_it = [&](const Allocation& a) { return address >= a.begin && address + bytes <= a.begin + a.bytes; };
    if (last_ && has_it(*last_)) return last_;
    const auto behind = allocations_.upper_bound(address);
    if (behind == allocations_.begin()) return nullptr;
    Allocation& candidate = std::prev(behind)->second;
    return has_it(candidate) ? last_ = &candidate : nullptr;
}

void* place_of(std::uint64_t address) { return reinterpret_cast<void*>(address & ~card_bit); }

bool read_safely(void* to, std::uint64_t from, std::size_t bytes) {
    const iovec local{to, bytes}, remote{reinterpret_cast<void*>(from), bytes};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

}  // namespace driver
