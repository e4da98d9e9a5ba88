// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What keeps the indices of the outer axes inside of arrays, and does nothing in most rows of points. Stencils of stencils
/// that are one kernel clamp what is clamped already: what is the same element in the interior is loaded once for each way
/// to it. Rows that reach no border are therefore executed by code of their own.
#pragma once

#include "lower/kernel.hpp"

#include <cstddef>
#include <vector>

namespace sinter::schedule {

/// Refers to the kernel.
struct RowBorders {
    struct Border {
        const lower::Inst* inst;  ///< a minimum or maximum, a continuation, or a test whether an index is inside
        std::size_t index;        ///< its operand that is the index, which the others bound
    };
    std::vector<Border> borders;
    std::vector<bool> computes_index;  ///< by instruction of the body: it is needed to find out whether a row is inside
};

/// Empty unless indices are kept inside that come from such ones. Linear.
RowBorders row_borders(const lower::Kernel& kernel);

}  // namespace sinter::schedule
