// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads against the grain: neighbours along another axis than the innermost one are contiguous in memory, as in a
/// transpose. A block takes a square of points along both axes, and these loads go through its memory: whole lines are read
/// and whole lines are written. The rest of the body does not matter: it may read and store whatever it likes.
#pragma once

#include "schedule/facts/facts.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule::card {

struct TransposedSquares {
    struct Load {
        std::size_t inst;  ///< of the body
        ir::Local local;   ///< its result
        std::int64_t bytes;
        bool operator==(const Load&) const = default;
    };
    std::size_t row_axis = 0;  ///< along which these loads are contiguous
    std::int64_t edge = 0;     ///< points along either axis, a power of two
    std::vector<Load> loads;
    std::vector<bool> addresses;  ///< by instruction of the body: needed for the loads, which are among them

    /// Bytes from column to column in a block's memory: an odd number of words, or of pairs of words.
    std::int64_t pitch(const Load& load) const { return edge * load.bytes + (load.bytes > 4 ? load.bytes : 4); }
    /// Where a load's elements begin.
    std::int64_t begin(std::size_t load) const {
        std::int64_t at = 0;
        for (std::size_t n = 0; n < load; ++n) at += (edge * pitch(loads[n]) + 15) & -16;
        return at;
    }
    std::int64_t bytes() const { return begin(loads.size()); }
};

/// The squares of a kernel; nothing if it has no such loads, or their addresses need more than arithmetic and other loads.
std::optional<TransposedSquares> transposed_squares(const lower::Kernel& kernel, const Facts& facts);

}  // namespace sinter::schedule::card
