// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Maps with large bodies over rows of few vectors. A few rows go together, so that their chains of operations, each of
/// which waits for itself, overlap, and what does not depend on the row, such as the weights of a layer, is loaded once for
/// all of them. They are executed as squares are, with nothing to transpose.
#pragma once

#include "schedule/ways/squares.hpp"

#include <optional>

namespace sinter::schedule {

struct RowsTogether {
    Squares blocks;     ///< one square each way
    double shared = 0;  ///< vector loads of a row that do not depend on it
};

/// Nothing if the body is small, or the kernel does more than compute elements of new arrays.
std::optional<RowsTogether> rows_together(const Machine& machine, const lower::Kernel& kernel, const Facts& facts);

}  // namespace sinter::schedule
