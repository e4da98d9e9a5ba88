// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels whose points are short rows: as many rows as a vector has lanes go through the loops of a kernel together, each
/// in its lane, so that nothing is combined across lanes. Elements of a loop come in *blocks*, the columns of a lane loop:
/// what lies side by side in a row is loaded as it lies and transposed in registers, what is stored likewise
/// (jit/emit/body/transpose.cpp). An element of a local buffer is a vector, one lane a row.
///
/// A sequential loop goes in strips of steps (strips.hpp), with the same way of loading and storing.
///
/// A reduce combines the elements of a block as a tree of neighbours, then what came before with that. So every row is
/// computed in the same way, wherever it is. Where rows are left that do not fill a vector, the last ones of the rows before
/// are computed again.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/machine.hpp"
#include "schedule/ways/strips.hpp"

#include <optional>

namespace sinter::schedule {

struct RowBlocks {
    static constexpr int columns = 4;  ///< elements of a block
    int lanes = 1;
    double transposed = 0;  ///< accesses an element of a row takes that are transposed
    StripsOfLoops strips;   ///< the sequential loops that go in strips
};

/// Nothing for a kernel that would not gain by it. `points`: of its points, in lanes.
std::optional<RowBlocks> row_blocks(const Machine& machine, const lower::Kernel& kernel, const Profile& points);

}  // namespace sinter::schedule
