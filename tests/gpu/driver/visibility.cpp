// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores: a thread's are pending, first for the thread alone, after a barrier for its block; they become visible to the grid
// one by one, in any order but that of stores to the same bytes. A fence makes all of them visible; it is cumulative, so it
// takes those of the block along.
// Loads: a load may give any value that the word had since the thread's last fence, as if it had been executed early; but
// none older than one that the thread, or one that met it at a barrier since, has seen there. So a reader needs its fence,
// too: a load that acquires makes it see all that was visible when the value which it gives was stored, and a store that
// releases makes all visible that was stored before it, but not itself. Compare "A Formal Analysis of the NVIDIA PTX Memory
// Consistency Model" (Lustig, Sahasrabuddhe and Giroux 2019).
#include "visibility.hpp"

#include "memory.hpp"
#include "settings.hpp"

#include <algorithm>
#include <cstring>

namespace driver {

namespace {

constexpr std::uint64_t word_bytes = 8;
constexpr std::size_t most_old = 4, most_pending = 16;

std::uint64_t read(std::uint64_t address, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, place_of(address), bytes);
    return value;
}

bool overlaps(const Store& store, std::uint64_t address, std::size_t bytes) {
    return store.address < address + bytes && address < store.address + store.bytes;
}

/// Puts the bytes of pending stores over those of a loaded value.
void overlay(const std::vector<Store>& stores, std::uint64_t address, std::size_t bytes, std::uint64_t& value) {
    for (const Store& store : stores) {
        if (!overlaps(store, address, bytes)) continue;
        for (std::size_t k = 0; k < store.bytes; ++k) {
            const std::uint64_t at = store.address + k - address;
            if (at >= bytes) continue;
            reinterpret_cast<unsigned char*>(&value)[at] = reinterpret_cast<const unsigned char*>(&store.value)[k];
        }
    }
}

void raise(Seen& seen, std::uint64_t word, std::uint64_t time) {
    std::uint64_t& known = seen[word];
    known = std::max(known, time);
}

std::uint64_t time_in(const Seen& seen, std::uint64_t word) {
    const auto found = seen.find(word);
    return found == seen.end() ? 0 : found->second;
}

/// Any of the stores that no earlier one to the same bytes precedes, taken out.
Store take_any(std::vector<Store>& stores) {
    std::size_t k = chance().below(static_cast<std::uint32_t>(stores.size()));
    for (std::size_t earlier = 0; earlier < k; ++earlier)
        if (overlaps(stores[earlier], stores[k].address, stores[k].bytes)) k = earlier;
    const Store taken = stores[k];
    stores.erase(stores.begin() + static_cast<std::ptrdiff_t>(k));
    return taken;
}

}  // namespace

std::uint64_t Visibility::stale_or_current(Block& block, Thread& thread, std::uint64_t word) {
    const std::uint64_t current = read(word, word_bytes);
    const auto found = history_.find(word);
    if (found == history_.end()) return current;
    const std::vector<Old>& olds = found->second;
    const std::uint64_t floor = std::max({thread.fenced, time_in(thread.seen, word), time_in(block.seen, word)});
    for (std::size_t k = olds.size(); k-- > 0 && olds[k].replaced > floor;) {
        if (!chance().one_in(2)) continue;
        raise(thread.seen, word, olds[k].stored);
        return olds[k].value;
    }
    raise(thread.seen, word, olds.back().replaced);
    return current;
}

std::uint64_t Visibility::load(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes, Order order) {
    const std::uint64_t word = address / word_bytes * word_bytes;
    std::uint64_t value = stale_or_current(block, thread, word) >> (8 * (address - word));
    if (order == Order::acquire) thread.fenced = std::max(thread.fenced, time_in(thread.seen, word));
    if (bytes < word_bytes) value &= (std::uint64_t{1} << (8 * bytes)) - 1;
    overlay(block.pending, address, bytes, value);
    overlay(thread.pending, address, bytes, value);
    return value;
}

void Visibility::store(Thread& thread, std::uint64_t address, std::uint8_t bytes, std::uint64_t value) {
    thread.pending.push_back({address, value, bytes, &thread.seen});
    if (thread.pending.size() > most_pending) commit(take_any(thread.pending));
}

std::uint64_t Visibility::update(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes,
                                 const std::function<std::uint64_t(std::uint64_t)>& change) {
    commit_there(block.pending, address, bytes);
    commit_there(thread.pending, address, bytes);
    const std::uint64_t old = read(address, bytes);
    commit({address, change(old), bytes, &thread.seen});
    return old;
}

void Visibility::release(Block& block, Thread& thread) {
    commit_all(block.pending);
    commit_all(thread.pending);
}

void Visibility::fence(Block& block, Thread& thread) {
    release(block, thread);
    thread.fenced = now_;
    thread.seen.clear();
}

void Visibility::meet(Block& block, std::size_t begin, std::size_t end) {
    std::uint64_t fenced = 0;
    for (std::size_t k = begin; k < end; ++k) {
        Thread& thread = block.threads[k];
        for (Store store : thread.pending) {
            store.writer = &block.seen;
            block.pending.push_back(store);
        }
        thread.pending.clear();
        for (const auto& [word, time] : thread.seen) raise(block.seen, word, time);
        thread.seen.clear();
        fenced = std::max(fenced, thread.fenced);
    }
    for (std::size_t k = begin; k < end; ++k) block.threads[k].fenced = fenced;
}

void Visibility::drift(Block& block, Thread& thread) {
    if (!thread.pending.empty() && chance().one_in(4)) commit(take_any(thread.pending));
    if (!block.pending.empty() && chance().one_in(4)) commit(take_any(block.pending));
}

void Visibility::finish(Block& block) {
    commit_all(block.pending);
    for (Thread& thread : block.threads) commit_all(thread.pending);
}

void Visibility::commit(const Store& store) {
    const std::uint64_t word = store.address / word_bytes * word_bytes;
    std::vector<Old>& olds = history_[word];
    const std::uint64_t stored = olds.empty() ? 0 : olds.back().replaced;
    olds.push_back({read(word, word_bytes), stored, ++now_});
    if (olds.size() > most_old) olds.erase(olds.begin());
    std::memcpy(place_of(store.address), &store.value, store.bytes);
    raise(*store.writer, word, now_);
}

void Visibility::commit_all(std::vector<Store>& stores) {
    for (const Store& store : stores) commit(store);
    stores.clear();
}

void Visibility::commit_there(std::vector<Store>& stores, std::uint64_t address, std::uint8_t bytes) {
    std::vector<Store> others;
    for (const Store& store : stores) overlaps(store, address, bytes) ? commit(store) : others.push_back(store);
    stores = std::move(others);
}

}  // namespace driver
