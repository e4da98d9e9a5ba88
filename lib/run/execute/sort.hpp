// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sorts rows that are held in one column per scalar leaf.
#pragma once

#include "ir/type.hpp"

#include <cstdint>
#include <span>

namespace sinter::runtime {

/// One column: rows * count elements, row-major. `to` overlaps no column.
struct SortColumn {
    ir::Scalar scalar;
    const void* from;
    void* to;
};

/// Sorts each of `rows` rows of `count` elements, stably. The first `keys` columns (at least one) are compared
/// lexicographically; all columns are permuted in the same way.
///
/// Order: false < true; -0.0 equals +0.0; every NaN equals every other and comes after all numbers. `descending` reverses
/// the comparison of numbers only: equal elements keep their order and NaNs still come last. Bits are moved unchanged.
///
/// A single row whose first keys are in order, as those of segments, is sorted run by run of equal first keys.
///
/// The result does not depend on `threads`. Linear in rows * count per byte in which keys differ. Throws std::bad_alloc if
/// there is no room for its buffers, at most 28 bytes per element of the rows that are sorted at the same time, plus copies
/// of columns that are not aligned; nothing is lost in that case.
void sort_rows(std::span<const SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows, std::int64_t count,
               int threads);

}  // namespace sinter::runtime
