// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Squares of points whose loads against the grain go through the memory of the block (Ruetsch and Micikevicius, Optimizing
/// Matrix Transpose in CUDA, 2009): neighbouring threads first load along the rows' axis, then, as points, read what others
/// have loaded. Columns of a square begin one word further in the banks of that memory than the one before, so that the
/// threads of a warp use all banks in either direction.
#pragma once

#include "jit/gpu/emit/tile/tiles_of_points.hpp"

namespace sinter::gpu {

void emit_transposed_squares(Point& point, Grid& grid, const card::TransposedSquares& way, TilesOfPoints::Execute execute);

}  // namespace sinter::gpu
