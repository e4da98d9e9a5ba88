// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Everything that the extents of a call and the number of threads decide about a launch on the host, and why.
#pragma once

#include "schedule/price.hpp"
#include "schedule/tasks.hpp"
#include "schedule/ways/flat.hpp"
#include "schedule/ways/updates.hpp"

#include <optional>
#include <string>

namespace sinter::schedule {

struct Decision {
    Choice choice;
    std::optional<FlatPrices> flat;  ///< set where the flat form was compared; if it is taken, everything else is about the
                                     ///< flat form
    Tasks tasks;
    UpdateWay updates;
    bool apart = false;  ///< of copies: tasks of whole rows update different elements, and need none
};

/// Decides without considering a flat form. Updates are in order, unless they are of accumulators. `together`: points that
/// may store to one element (collisions.hpp).
Decision decide(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes, int threads,
                std::int64_t together = 1);

/// The name of a way and all by which it differs from other ways of a kernel: they have different code.
std::string describe(const Way& way);

/// The text form: one line for the way and the reason, one for the tasks:
///
///   row blocks: 310 against inner 1200, points 920
///   64 tasks of 1 x 512 points, 4 chunks of 4096
std::string print(const Candidates& candidates, const Decision& decision);
/// The first line.
std::string summary(const Candidates& candidates, const Decision& decision);

}  // namespace sinter::schedule
