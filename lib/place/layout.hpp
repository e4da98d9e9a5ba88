// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the elements of arrays are when several ranks work on them.
#pragma once

#include "schedule/steps/reach.hpp"

#include <cstdint>

namespace sinter::place {

using schedule::Interval;

/// The rows of a rank, out of this many: ranks have consecutive rows, all of them the same number or one more.
Interval rows_of(std::int64_t rows, int ranks, int rank);
/// The rank that has this row.
int rank_of(std::int64_t rows, int ranks, std::int64_t row);

/// Replicated: every rank has all elements. Otherwise *blocks*: a rank has the elements of its rows.
struct Layout {
    bool blocks = false;
    std::int64_t rows = 1;  ///< outermost extent
    std::int64_t row = 1;   ///< elements of a row

    std::int64_t elements() const { return rows * row; }
    /// What a rank has in blocks.
    Interval own(int ranks, int rank) const;
    /// The rank that has this element in blocks.
    int owner(int ranks, std::int64_t element) const { return rank_of(rows, ranks, element / row); }
};

}  // namespace sinter::place
