// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of a stable radix sort of rows, least significant digit first (Knuth, The Art of Computer Programming 3, section
/// 5.2.5).
///
/// A pass sorts by one digit: blocks count the digits of their part of a row (count), the counts of all parts become
/// positions (place), and blocks move their elements there (move). Within a part, threads of a warp with the same digit find
/// each other, so each knows how many come before it (Merrill and Grimshaw, High Performance and Scalable Radix Sorting,
/// 2011; for the warps: Adinets and Merrill, Onesweep, 2022).
#pragma once

#include "jit/generator/card_code.hpp"
#include "jit/gpu/emit/builtin_names.hpp"

#include <cstdint>

namespace llvm {
class Module;
}

namespace sinter::gpu {

using codegen::SortKind;

inline constexpr std::int64_t sort_digits = 256;

/// Elements that a block moves at a time.
inline std::int64_t sort_tile(const SortKind& kind) {
    const bool is_long = detail::size_of(kind.key) == 8;
    return block_threads * (is_long ? card::tuning::sort_long_elements : card::tuning::sort_elements);
}

/// The parameters of these kernels, in this order, each with 64 bits.
struct SortParameters {
    const void* keys;
    const std::uint32_t* positions;  ///< null if the position of an element is its index in its row
    void* to_keys;
    std::uint32_t* to_positions;
    std::uint32_t* counts;  ///< [row][digit][part]
    std::uint32_t* totals;  ///< [row][digit]
    std::int64_t rows, length, parts;
    std::int64_t part_length;  ///< a multiple of sort_tile
    std::int64_t shift;        ///< the digit's lowest bit

    static constexpr std::size_t count = 11;
};

/// Adds the kernels `count`, `place` and `move`. Returns the number of bytes of memory that a block needs.
std::size_t emit_sort(llvm::Module& module, const SortKind& kind);

/// Adds `gather`: element i of a row of `to` becomes the element at position i of `from`. Parameters: from, to, positions,
/// number of rows, length.
void emit_gather(llvm::Module& module, int element_bytes);

/// Adds `row_numbers`: element i of `to`, which is u32, becomes the row of position i. Parameters: to, positions, their
/// number, length of a row.
void emit_row_numbers(llvm::Module& module);

}  // namespace sinter::gpu
