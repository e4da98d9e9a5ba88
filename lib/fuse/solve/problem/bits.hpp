// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A square matrix of bits; its rows are sets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::fuse::solve {

using Row = std::span<std::uint64_t>;
using ConstRow = std::span<const std::uint64_t>;

inline void put(Row row, std::size_t i) { row[i / 64] |= std::uint64_t{1} << (i % 64); }
inline void drop(Row row, std::size_t i) { row[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
inline bool holds(ConstRow row, std::size_t i) { return (row[i / 64] >> (i % 64) & 1) != 0; }

inline void unite(Row row, ConstRow other) {
    for (std::size_t w = 0; w < row.size(); ++w) row[w] |= other[w];
}

inline bool meet(ConstRow a, ConstRow b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if (a[w] & b[w]) return true;
    return false;
}

template <class F>
void for_each(ConstRow row, F f) {
    for (std::size_t w = 0; w < row.size(); ++w)
        for (std::uint64_t bits = row[w]; bits != 0; bits &= bits - 1)
            f(64 * w + static_cast<std::size_t>(__builtin_ctzll(bits)));
}

class Bits {
  public:
    explicit Bits(std::size_t count = 0) : words_((count + 63) / 64), bits_(count * words_, 0) {}
    Row operator[](std::size_t i) { return {bits_.data() + i * words_, words_}; }
    ConstRow operator[](std::size_t i) const { return {bits_.data() + i * words_, words_}; }
    std::size_t words() const { return words_; }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

}  // namespace sinter::fuse::solve
