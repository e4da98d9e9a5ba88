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
constexpr std::size_t most_pending = 16;             ///< of a thread
constexpr std::size_t most_pending_of_block = 1000;  ///< with more, finding what comes first takes longer than all else

std::uint64_t read(std::uint64_t address, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, place_of(address), bytes);
    return value;
}

void raise(Seen& seen, std::uint64_t word, std::uint64_t time) {
    std::uint64_t& known = seen[word];
    known = std::max(known, time);
}

std::uint64_t time_in(const Seen& seen, std::uint64_t word) {
    const std::uint64_t* found = seen.find(word);
    return found ? *found : 0;
}

}  // namespace

void Visibility::History::add(const Old& old) {
    if (count == olds.size()) std::move(olds.begin() + 1, olds.end(), olds.begin());
    count = std::min(count + 1, olds.size());
    olds[count - 1] = old;
}

std::uint64_t Visibility::stale_or_current(Block& block, Thread& thread, std::uint64_t word) {
    const std::uint64_t current = read(word, word_bytes);
    const History* history = history_.find(word);
    if (!history) return current;
    const std::array<Old, 4>& olds = history->olds;
    const std::uint64_t floor = std::max({thread.fenced, time_in(thread.seen, word), time_in(block.seen, word)});
    for (std::size_t k = history->count; k-- > 0 && olds[k].replaced > floor;) {
        if (!chance().one_in(2)) continue;
        raise(thread.seen, word, olds[k].stored);
        return olds[k].value;
    }
    raise(thread.seen, word, olds[history->count - 1].replaced);
    return current;
}

std::uint64_t Visibility::load(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes, Order order) {
    const std::uint64_t word = address / word_bytes * word_bytes;
    std::uint64_t value = stale_or_current(block, thread, word) >> (8 * (address - word));
    if (order == Order::acquire) thread.fenced = std::max(thread.fenced, time_in(thread.seen, word));
    if (bytes < word_bytes) value &= (std::uint64_t{1} << (8 * bytes)) - 1;
    block.pending.overlay(address, bytes, value);
    thread.pending.overlay(address, bytes, value);
    return value;
}

void Visibility::store(Thread& thread, std::uint64_t address, std::uint8_t bytes, std::uint64_t value) {
    thread.pending.add({address, value, 0, &thread.seen, bytes});
    if (thread.pending.size() > most_pending) commit(thread.pending.take_any());
}

std::uint64_t Visibility::begin_update(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes) {
    commit(block.pending.take(address, bytes));
    commit(thread.pending.take(address, bytes));
    return read(address, bytes);
}

void Visibility::release(Block& block, Thread& thread) {
    commit(block.pending.take_all());
    commit(thread.pending.take_all());
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
        for (Store store : thread.pending.take_all()) {
            store.writer = &block.seen;
            block.pending.add(store);
        }
        thread.seen.each([&](std::uint64_t word, std::uint64_t time) { raise(block.seen, word, time); });
        thread.seen.clear();
        fenced = std::max(fenced, thread.fenced);
    }
    for (std::size_t k = begin; k < end; ++k) block.threads[k].fenced = fenced;
    while (block.pending.size() > most_pending_of_block) commit(block.pending.take_any());
}

void Visibility::drift(Block& block, Thread& thread) {
    if (!thread.pending.empty() && chance().one_in(4)) commit(thread.pending.take_any());
    if (!block.pending.empty() && chance().one_in(4)) commit(block.pending.take_any());
}

void Visibility::finish(Block& block) {
    commit(block.pending.take_all());
    for (Thread& thread : block.threads)
        if (!thread.pending.empty()) commit(thread.pending.take_all());
}

void Visibility::commit(const Store& store) {
    const std::uint64_t word = store.address / word_bytes * word_bytes;
    History& history = history_[word];
    const std::uint64_t stored = history.count == 0 ? 0 : history.olds[history.count - 1].replaced;
    history.add({read(word, word_bytes), stored, ++now_});
    std::memcpy(place_of(store.address), &store.value, store.bytes);
    raise(*store.writer, word, now_);
}

void Visibility::commit(const std::vector<Store>& stores) {
    for (const Store& store : stores) commit(store);
}

}  // namespace driver
