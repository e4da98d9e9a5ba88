// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels whose points are short rows: as many rows as a vector has lanes go through the loops of a kernel together, each
/// in its lane, so that nothing is combined across lanes. The elements of a loop come in *blocks*, the columns of a lane
/// loop: what is contiguous in a row is loaded contiguously and transposed in registers, and stores work in the same way
/// (jit/emit/memory/transposition.hpp). An element of a local buffer is a vector with one lane per row.
///
/// A sequential loop is executed in strips of steps (strips.hpp), with the same way of loading and storing.
///
/// A reduce combines the elements of a block as a tree of neighbours, and then combines what came before with the result. So
/// every row is computed in the same way, wherever it is. If the rows that are left do not fill a vector, the last of the
/// rows before them are computed again, and update nothing; so kernels that may store over what they load have no row
/// blocks.
#pragma once

#include "schedule/facts/facts.hpp"
#include "schedule/machine.hpp"
#include "schedule/ways/strips.hpp"

#include <optional>

namespace sinter::schedule {

struct RowBlocks {
    static constexpr int columns = 4;  ///< elements of a block
    int lanes = 1;
    double transposed = 0;  ///< accesses per element of a row that are transposed
    StripsOfLoops strips;   ///< the sequential loops that are executed in strips
};

/// The row blocks of a kernel; nothing if the kernel would not gain by them.
std::optional<RowBlocks> row_blocks(const Machine& machine, const lower::Kernel& kernel, const Facts& facts);

}  // namespace sinter::schedule
