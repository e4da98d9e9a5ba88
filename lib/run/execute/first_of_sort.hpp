// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The first elements of sorted rows, without sorting the others.
#pragma once

#include "run/execute/sort.hpp"

namespace sinter::runtime {

/// What sort_rows makes the first `first` elements of each row, `first` <= `count`: `to` of a column has rows * first
/// elements. Keeps the least elements of what it has seen in room for twice as many, and drops the greater half whenever
/// that is full: linear in rows * count where `first` is much smaller than `count`, whatever the order of the elements.
///
/// The result does not depend on `threads`. Throws std::bad_alloc if there is no room for its buffers.
void first_of_rows(std::span<const SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
                   std::int64_t count, std::int64_t first, int threads);

}  // namespace sinter::runtime
