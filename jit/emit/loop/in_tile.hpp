// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The register tile that is being emitted (schedule/ways/register_tile.hpp), and the memory for what its rows or columns
/// share.
#pragma once

#include "jit/emit/body/scope.hpp"
#include "schedule/ways/register_tile.hpp"

namespace sinter::emit {

using schedule::RegisterTile;
using schedule::TileLoop;

struct InTile {
    const RegisterTile* plan = nullptr;             ///< null if there is no register tile
    std::vector<llvm::Value*> of_columns, of_rows;  ///< by loop: where the values kept for it are
    llvm::Value* sums = nullptr;                    ///< where the accumulators of the columns are, by row of the tile
    Value place = {};                               ///< position of the rows among those of the tile

    /// What the tile does with a loop that is emitted for all its rows; null if it is emitted otherwise.
    const TileLoop* find(const Inst& inst, const Lanes& lanes) const {
        return plan && lanes.rows > 1 ? plan->find(inst) : nullptr;
    }
};

/// The bytes from row to row of values that are kept for a range of this many elements: whole lines.
inline llvm::Value* row_stride(Code& code, llvm::Value* length, Scalar type) {
    constexpr std::int64_t line = schedule::tuning::line_bytes;
    llvm::Value* bytes = code.mul(length, code.i64(detail::size_of(type)));
    return code.ir.CreateOr(code.ir.CreateAnd(code.add(bytes, code.i64(line - 1)), code.i64(-line)), code.i64(line));
}

}  // namespace sinter::emit
