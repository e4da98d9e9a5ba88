// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/layout.hpp"

#include <algorithm>

namespace sinter::place {

Interval rows_of(std::int64_t rows, int ranks, int rank) {
    const std::int64_t each = rows / ranks, more = rows % ranks;
    const std::int64_t first = rank * each + std::min<std::int64_t>(rank, more);
    return {first, first + each + (rank < more ? 1 : 0)};
}

int rank_of(std::int64_t rows, int ranks, std::int64_t row) {
    const std::int64_t each = rows / ranks, more = rows % ranks, longer = more * (each + 1);
    return static_cast<int>(row < longer ? row / (each + 1) : more + (row - longer) / each);
}

Interval Layout::own(int ranks, int rank) const {
    const Interval part = rows_of(rows, ranks, rank);
    return {part.begin * row, part.end * row};
}

}  // namespace sinter::place
