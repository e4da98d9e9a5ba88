// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the loop nest of a kernel runs on the host: the last decision before code is written. The emitter gets a Schedule and
/// decides nothing more.
#pragma once

#include "schedule/facts/row_borders.hpp"
#include "schedule/facts/sides.hpp"
#include "schedule/lanes.hpp"
#include "schedule/ways/fetched_ahead.hpp"
#include "schedule/ways/register_tile.hpp"
#include "schedule/ways/row_blocks.hpp"
#include "schedule/ways/rows_together.hpp"
#include "schedule/ways/squares.hpp"

#include <string_view>
#include <variant>

namespace sinter::schedule {

/// The innermost parallel axis gets lanes; loops inside are sequential in each lane.
struct Points {
    Lanes lanes;
    AheadOfLoops ahead = {};
};

/// Points are executed one by one; the innermost axis of each loop gets lanes.
struct Inner {};

/// The ways a kernel can run. docs/hacking.md says how to add one.
using Way = std::variant<Points, Squares, Inner, RowBlocks, RegisterTile, RowsTogether>;
std::string_view name_of(const Way& way);

struct Schedule {
    Way way;
    const lower::Inst* chunked = nullptr;  ///< the loop of the body that tasks may execute in parts, or null
    LoopLanes loops;                       ///< for loops that no lane loop surrounds
    const ControlFlow* control = nullptr;  ///< of the kernel's facts: what is done inside of lanes
    const Sides* sides = nullptr;          ///< of the kernel's facts: on which side most indices are of what compares them
    bool parts_of_lines = true;            ///< stores of less than a cache line may bypass the caches, if the launch says so
    const RowBorders* row_borders = nullptr;  ///< of the kernel's facts; null if no rows are executed by code of their own
};

/// True if lanes belong to points: along the innermost axis of the space. Otherwise they belong to loops, point after point.
inline bool has_lanes_on_points(const Way& way) { return !std::holds_alternative<Inner>(way); }

}  // namespace sinter::schedule
