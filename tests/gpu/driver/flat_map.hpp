// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A map from addresses, none of which is 0, in one piece of memory (open addressing): most threads have few entries or
/// none, and grids make millions of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace driver {

template <class Value>
class FlatMap {
  public:
    struct Entry {
        std::uint64_t key = 0;  ///< 0: free
        Value value{};
    };

    Value* find(std::uint64_t key) {
        if (count_ == 0) return nullptr;
        Entry& entry = place_of(key);
        return entry.key == key ? &entry.value : nullptr;
    }
    const Value* find(std::uint64_t key) const { return const_cast<FlatMap*>(this)->find(key); }

    Value& operator[](std::uint64_t key) {
        if (2 * (count_ + 1) > entries_.size()) grow();
        Entry& entry = place_of(key);
        if (entry.key != key) {
            entry.key = key;
            ++count_;
        }
        return entry.value;
    }

    bool empty() const { return count_ == 0; }
    void clear() {
        if (count_ == 0) return;
        if (entries_.size() <= kept)
            std::fill(entries_.begin(), entries_.end(), Entry());
        else
            entries_.clear();
        count_ = 0;
    }

    template <class F>
    void each(F f) const {
        if (count_ == 0) return;
        for (const Entry& entry : entries_)
            if (entry.key != 0) f(entry.key, entry.value);
    }

  private:
    static constexpr std::size_t least = 8, kept = 32;  ///< up to `kept` entries, memory stays where it is cleared

    Entry& place_of(std::uint64_t key) {
        const std::size_t mask = entries_.size() - 1;
        std::size_t at = static_cast<std::size_t>(key * 0x9e3779b97f4a7c15 >> 24) & mask;
        while (entries_[at].key != 0 && entries_[at].key != key) at = (at + 1) & mask;
        return entries_[at];
    }

    void grow() {
        std::vector<Entry> old(entries_.empty() ? least : 2 * entries_.size());
        old.swap(entries_);
        for (Entry& entry : old)
            if (entry.key != 0) place_of(entry.key) = std::move(entry);
    }

    std::vector<Entry> entries_;  ///< a power of two
    std::size_t count_ = 0;
};

}  // namespace driver
