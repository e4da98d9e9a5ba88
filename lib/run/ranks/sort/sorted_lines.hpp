// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sorted lines that lie one behind the other, in columns.
#pragma once

#include "run/execute/sort.hpp"
#include "support/buffer.hpp"

#include <array>
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

    /// Room for merging so many elements of so many lines. Throws std::bad_alloc.
    void reserve(std::int64_t count, std::size_t lines);
    /// Merges lines of these lengths, of which equal elements stay in their order, and writes them to the columns' `to`.
    /// What the columns' `from` holds is lost.
    void merge(std::span<const SortColumn> columns, std::vector<std::int64_t> lengths, int threads);

  private:
    bool has_keys_only() const { return columns_.size() == 1; }
    bool later_keys_less(std::int64_t a, std::int64_t b) const;
    template <class Order>
    void merge_keys(Order order, std::vector<std::int64_t> lengths, int threads);
    template <class Index, class Order>
    void merge_positions(Order order, std::vector<std::int64_t> lengths, int threads);
    template <class Index>
    void permute(const SortColumn& column, const Index* positions, int threads) const;

    std::span<const SortColumn> columns_;
    std::size_t keys_;
    bool descending_;
    std::int64_t count_ = 0;
    BufferRef spare_keys_;
    std::array<BufferRef, 2> positions_;  ///< in the lines, if there are other columns than the first key
};

}  // namespace sinter::runtime
