// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sorting of rows held as one column a scalar leaf.
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

/// Sorts each of `rows` rows of `count` elements, stably: the first `keys` columns (at least one) are compared
/// lexicographically, all columns are permuted alike.
///
/// Order: false < true; -0.0 equals +0.0; every NaN equals every other and comes after all numbers. `descending` reverses
/// the comparison of numbers only: equal elements keep their order and NaNs still come last. Bits are moved unchanged.
///
/// The result does not depend on `threads`. Linear in rows * count for each byte in which keys differ. Throws std::bad_alloc
/// if there is no room for its buffers, at most 28 bytes an element of the rows sorted at the same time, and a copy of
/// columns that are not aligned; nothing is lost then.
void sort_rows(std::span<const SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows, std::int64_t count,
               int threads);

}  // namespace sinter::runtime
