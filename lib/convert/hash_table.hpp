// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A small open-addressing map from 64-bit keys to 32-bit values. Conversion happens on every run(), so nothing is allocated
/// per entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sinter::convert {

class HashTable {
  public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// The value of `key`, or `none`.
    std::uint32_t find(std::uint64_t key) const { return slots_[slot_of(key)].value; }

    /// Enters a key that is not there yet; the value must not be `none`.
    void insert(std::uint64_t key, std::uint32_t value) {
        if (2 * ++count_ > slots_.size()) grow();
        slots_[slot_of(key)] = {key, value};
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t value = none;
    };

    std::size_t slot_of(std::uint64_t key) const {
        std::size_t mask = slots_.size() - 1;
        std::uint64_t h = key * 0x9e3779b97f4a7c15u;
        std::size_t i = (h ^ h >> 32) & mask;
        while (slots_[i].value != none && slots_[i].key != key) i = (i + 1) & mask;
        return i;
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.value != none) slots_[slot_of(slot.key)] = slot;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::size_t count_ = 0;
};

/// Mixes `part` into the hash `seed`.
inline std::uint64_t mix(std::uint64_t seed, std::uint64_t part) {
    std::uint64_t h = (seed ^ part) * 0xff51afd7ed558ccdu;
    return h ^ h >> 33;
}

}  // namespace sinter::convert
