// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sorted lines that lie one behind the other, in columns.
#pragma once

#include "run/execute/sort.hpp"
#include "support/buffer.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::runtime {

class SortedLines {
  public:
    /// The order of sort_rows().
    SortedLines(std::span<const SortColumn> columns, std::size_t keys, bool descending);

    /// Keys of the element as numbers that compare as they do.
    void keys_of(std::int64_t index, std::uint64_t* keys) const;

    /// Room for merging so many elements. Throws std::bad_alloc.
    void reserve(std::int64_t count);
    /// Merges lines of these lengths, of which equal elements stay in their order, and writes them to the columns' `to`.
    void merge(std::span<const SortColumn> columns, std::vector<std::int64_t> lengths);

  private:
    template <class Less>
    void merge_orders(std::vector<std::int64_t> lengths, Less less);
    bool later_keys_less(std::int64_t a, std::int64_t b) const;

    std::span<const SortColumn> columns_;
    std::size_t keys_;
    bool descending_;
    std::vector<std::int64_t> order_, spare_;
};

}  // namespace sinter::runtime
