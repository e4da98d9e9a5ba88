// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches in register tiles: their cost, and their blocks for the caches.
#pragma once

#include "schedule/tasks.hpp"

namespace sinter::schedule {

/// The price of a row of points; infinite if tiles do not fit.
double price_of_tile_row(const lower::Kernel& kernel, const Candidates& candidates, const RegisterTile& tile,
                         const std::int64_t* sizes);

/// Sets the tasks, and the parts of the reduced range that they take one after another.
void cut_tiles(Tasks& tasks, const lower::Kernel& kernel, const Candidates& candidates, const RegisterTile& tile,
               const std::int64_t* sizes, int threads);

}  // namespace sinter::schedule
