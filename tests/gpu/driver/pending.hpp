// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores that others do not see yet.
#pragma once

#include "flat_map.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace driver {

/// For words, the earliest of their values that a thread may still see, by the time it was stored.
using Seen = FlatMap<std::uint64_t>;

struct Store {
    std::uint64_t address = 0, value = 0;
    std::uint64_t number = 0;  ///< in the order in which they came
    Seen* writer = nullptr;    ///< what the thread, or the block, that stored it has seen
    std::uint8_t bytes = 0;
    bool overlaps(std::uint64_t begin, std::size_t size) const { return address < begin + size && begin < address + bytes; }
};

class Pending {
  public:
    bool empty() const { return nodes_.empty(); }
    std::size_t size() const { return nodes_.size(); }
    void add(Store store);
    /// One that no earlier one to the same bytes precedes.
    Store take_any();
    /// Those to these bytes, and all: in the order in which they came.
    std::vector<Store> take(std::uint64_t address, std::size_t bytes);
    std::vector<Store> take_all();
    /// Puts the bytes that were stored over those of a loaded value.
    void overlay(std::uint64_t address, std::size_t bytes, std::uint64_t& value) const;

  private:
    /// Stores whose words have the same hash form a list.
    struct Node {
        Store store;
        std::int32_t before = none, after = none;
    };
    static constexpr std::int32_t none = -1;
    static constexpr std::size_t few = 24, groups = 2048;  ///< up to `few`, there are no lists: looking at all is as fast

    static std::size_t group_of(std::uint64_t address) { return address / 8 * 0x9e3779b97f4a7c15 >> 53; }
    bool has_lists() const { return !heads_.empty(); }
    void link(std::size_t k);
    void unlink(std::size_t k);
    Store take_at(std::size_t k);
    template <class F>
    void each_at(std::uint64_t address, F f) const;
    std::vector<Store> at(std::uint64_t address, std::size_t bytes) const;

    std::vector<Node> nodes_;  ///< in any order
    std::uint64_t next_ = 0;
    std::vector<std::int32_t> heads_;
};

}  // namespace driver
