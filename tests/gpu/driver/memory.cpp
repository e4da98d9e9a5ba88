// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"

#include <cstring>
#include <iterator>

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace driver {

namespace {

constexpr unsigned char fresh = 0xa5;
constexpr std::uint64_t card_bit = std::uint64_t{1} << 52;  ///< no address of a process has it

}  // namespace

Memory& Memory::get() {
    static auto* memory = new Memory;
    return *memory;
}

std::uint64_t Memory::allocate(std::size_t bytes, bool pinned) {
    if (bytes == 0) return 0;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
    std::memset(memory, fresh, bytes);
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(memory) | (pinned ? 0 : card_bit);
    allocations_[address] = {address, bytes, pinned, Cells()};
    last_ = nullptr;
    return address;
}

bool Memory::release(std::uint64_t address) {
    const auto found = allocations_.find(address);
    if (found == allocations_.end()) return false;
    munmap(place_of(address), found->second.bytes);
    allocations_.erase(found);
    last_ = nullptr;
    return true;
}

void Memory::release_all() {
    while (!allocations_.empty()) release(allocations_.begin()->first);
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
