// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches in register tiles: what they cost, and blocks for the caches.
#pragma once

#include "schedule/tasks.hpp"

namespace sinter::schedule {

/// Of a row of points; infinite where tiles do not fit.
double price_of_tile_row(const lower::Kernel& kernel, const Candidates& candidates, const RegisterTile& tile,
                         const std::int64_t* sizes);

/// Tasks, and the parts of the reduced range they take one after another.
void cut_tiles(Tasks& tasks, const lower::Kernel& kernel, const Candidates& candidates, const RegisterTile& tile,
               const std::int64_t* sizes, int threads);

}  // namespace sinter::schedule
