// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which kernels run in register tiles: several points of one parallel axis, the *rows*, times several vectors of the
/// innermost one, the *columns*, go through their reduces together. What an element takes that does not depend on the row is
/// computed once for many rows and kept, packed, in the nearest cache (tiles.cpp); what does not depend on the column is one
/// scalar for a row. So an element costs its arithmetic and next to no loads: matrix products and what looks like them,
/// whatever the operators, the views they read through and the other axes.
///
/// The reduce of a point combines its elements one after another, in their order, as the interpreter does.
#pragma once

#include "jit/emit/machine.hpp"
#include "lower/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::emit {

/// Of one instruction: what it varies with.
struct Dependence {
    bool row = false;
    bool column = false;
    bool index = false;  ///< arithmetic of indices and sizes: nothing to be kept

    bool shared() const { return column && !row && !index; }
};

/// A reduce of the body whose elements share values.
struct TileLoop {
    const lower::Inst* reduce;
    std::vector<Dependence> element;  ///< by instruction of its element block
    struct Shared {
        std::size_t inst, result;
        ir::Scalar type;
    };
    std::vector<Shared> shared;  ///< the values that are kept
};

struct RegisterTile {
    std::size_t row_axis = 0;
    int width = 1, rows = 1, columns = 1;
    int unit = 1;                       ///< bytes of a vector register
    std::vector<Dependence> body;       ///< by instruction of the body
    std::vector<TileLoop> loops;        ///< in order
    double arithmetic = 0;              ///< vector instructions an element of all loops takes
    double sharing = 0;                 ///< the same for what rows share
    std::vector<std::int64_t> records;  ///< by loop: bytes kept of one element index

    /// Vectors kept one after another, each from a multiple of a register's size.
    std::int64_t vectors(std::size_t count) const { return static_cast<std::int64_t>(count) * columns * unit; }
    const TileLoop* find(const lower::Inst& inst) const;
};

/// Nothing for a kernel that would not gain by it.
std::optional<RegisterTile> register_tile(const Machine& machine, const lower::Kernel& kernel);

}  // namespace sinter::emit
