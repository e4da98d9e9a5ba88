// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/threads/pool.hpp"

#include "support/text/byte_count.hpp"
#include "support/threads/shared_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

namespace sinter {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Blocks of at least this size are mapped at multiples of the size of huge pages.
constexpr std::size_t mapped_from = std::size_t{1} << 20;
constexpr std::size_t cache_always = std::size_t{64} << 20;
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t mapped_bytes(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

/// Maps one huge page more than asked for, and unmaps what lies before and after the aligned block.
void* map_block(std::size_t bytes) {
    std::size_t length = mapped_bytes(bytes) + huge_page;
    void* raw = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    auto begin = reinterpret_cast<std::uintptr_t>(raw);
    std::uintptr_t aligned = (begin + huge_page - 1) / huge_page * huge_page;
    if (aligned > begin) munmap(raw, aligned - begin);
    std::uintptr_t end = aligned + mapped_bytes(bytes);
    if (end < begin + length) munmap(reinterpret_cast<void*>(end), begin + length - end);
    auto* block = reinterpret_cast<void*>(aligned);
    madvise(block, mapped_bytes(bytes), MADV_HUGEPAGE);
    return block;
}

void* obtain(std::size_t bytes, Pool::Kind kind) {
    if (kind == Pool::Kind::shared) return map_shared(bytes);
    return bytes >= mapped_from ? map_block(bytes) : std::aligned_alloc(alignment, bytes);
}

void dispose(void* memory, std::size_t bytes, Pool::Kind kind) noexcept {
    if (kind == Pool::Kind::shared) {
        unmap_shared(memory, bytes);
    } else if (bytes >= mapped_from) {
        munmap(memory, mapped_bytes(bytes));
    } else {
        std::free(memory);
    }
}

}  // namespace

std::size_t size_class(std::size_t bytes) {
    std::size_t units = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment;
    if (units <= 4) return units - 1;
    int log = std::bit_width(units - 1) - 1;  // 2^log < units <= 2^(log+1)
    std::size_t quarter = std::size_t{1} << (log - 2);
    std::size_t step = (units - (std::size_t{1} << log) + quarter - 1) / quarter;  // 1..4
    return 4 + static_cast<std::size_t>(log - 2) * 4 + step - 1;
}

std::size_t class_bytes(std::size_t size_class) {
    if (size_class < 4) return (size_class + 1) * alignment;
    std::size_t log = (size_class - 4) / 4 + 2;
    std::size_t step = (size_class - 4) % 4 + 1;
    return ((std::size_t{1} << log) + step * (std::size_t{1} << (log - 2))) * alignment;
}

Pool& Pool::shared() {
    static Pool* pool = new Pool(byte_count_setting("SINTER_MEMORY_LIMIT").value_or(no_limit));
    return *pool;
}

void* Pool::take(std::size_t bytes, Kind kind) {
    if (bytes > std::numeric_limits<std::size_t>::max() / 4) throw std::bad_alloc();
    std::size_t index = size_class(bytes);
    std::size_t size = class_bytes(index);
    {
        std::lock_guard lock(mutex_);
        auto& free = free_[static_cast<std::size_t>(kind)];
        if (free.size() <= index) free.resize(index + 1);
        if (!free[index].empty()) {
            void* memory = free[index].back().memory;
            free[index].pop_back();
            cached_ -= size;
            count(bytes);
            return memory;
        }
        reserve(bytes);
    }
    void* memory = obtain(size, kind);
    if (!memory) {
        trim();
        memory = obtain(size, kind);
    }
    if (!memory) {
        std::lock_guard lock(mutex_);
        in_use_ -= bytes;
        throw std::bad_alloc();
    }
    return memory;
}

/// Counts `bytes` new bytes as in use; cached blocks make room for them.
void Pool::reserve(std::size_t bytes) {
    if (bytes > limit_ || in_use_ > limit_ - bytes) throw std::bad_alloc();
    evict(std::min(cached_, limit_ - bytes - in_use_));
    count(bytes);
}

void Pool::add(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    reserve(bytes);
}

void Pool::remove(std::size_t bytes) noexcept {
    std::lock_guard lock(mutex_);
    in_use_ -= bytes;
}

void Pool::count(std::size_t bytes) {
    in_use_ += bytes;
    peak_ = std::max(peak_, in_use_);
}

void Pool::give_back(void* memory, std::size_t bytes, Kind kind) noexcept {
    std::size_t index = size_class(bytes);
    std::size_t size = class_bytes(index);
    std::lock_guard lock(mutex_);
    in_use_ -= bytes;
    try {
        free_[static_cast<std::size_t>(kind)][index].push_back({memory, clock_++});
    } catch (const std::bad_alloc&) {
        dispose(memory, size, kind);
        return;
    }
    cached_ += size;
    if (std::size_t limit = std::min(cache_limit(), limit_ - in_use_); cached_ > limit) evict(limit);
}

void Pool::trim() noexcept {
    std::lock_guard lock(mutex_);
    evict(0);
}

/// As much as is in use, or an eighth of the machine's memory, but at least 64 MiB.
std::size_t Pool::cache_limit() const {
    static const std::size_t eighth = physical_memory() / 8;
    return std::max({cache_always, in_use_, eighth});
}

void Pool::evict(std::size_t keep) noexcept {
    while (cached_ > keep) {
        std::vector<Block>* oldest = nullptr;
        std::size_t index = 0;
        Kind kind = Kind::own;
        for (const Kind each : {Kind::own, Kind::shared}) {
            auto& free = free_[static_cast<std::size_t>(each)];
            for (std::size_t k = 0; k < free.size(); ++k)
                if (!free[k].empty() && (!oldest || free[k].front().stamp < oldest->front().stamp))
                    oldest = &free[k], index = k, kind = each;
        }
        if (!oldest) return;
        const std::size_t size = class_bytes(index);
        dispose(oldest->front().memory, size, kind);
        oldest->erase(oldest->begin());
        cached_ -= size;
    }
}

std::size_t Pool::bytes_in_use() const {
    std::lock_guard lock(mutex_);
    return in_use_;
}

std::size_t Pool::peak() const {
    std::lock_guard lock(mutex_);
    return peak_;
}

void Pool::forget_peak() {
    std::lock_guard lock(mutex_);
    peak_ = in_use_;
}

std::size_t Pool::bytes_cached() const {
    std::lock_guard lock(mutex_);
    return cached_;
}

}  // namespace sinter
