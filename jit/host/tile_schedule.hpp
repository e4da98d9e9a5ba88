// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches in register tiles: what they cost, and blocks for the caches.
#pragma once

#include "jit/host/schedule.hpp"

namespace sinter::host {

/// Of a row of points, in vector instructions; infinite where tiles do not fit.
double tiles_cost(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes);

/// Tasks, and the parts of the reduce range they take one after another.
void cut_tiles(Tiling& tiling, const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes, int threads);

}  // namespace sinter::host
