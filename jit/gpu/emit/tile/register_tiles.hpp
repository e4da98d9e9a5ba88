// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles of points whose results are in registers (schedule/card/register_tiles.hpp). A block goes through the reduce in
/// stages of a few elements. While it combines those of one stage, which are in its memory, its threads load the next one;
/// there are two places for stages, so one barrier per stage is enough.
#pragma once

#include "jit/gpu/emit/tile/tiles_of_points.hpp"

namespace sinter::gpu {

void emit_register_tiles(Point& point, Grid& grid, const card::RegisterTiles& way, TilesOfPoints::Execute execute);

}  // namespace sinter::gpu
