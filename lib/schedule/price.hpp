// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the ways of a kernel cost on the extents of a call, and which one is taken.
#pragma once

#include "schedule/candidates.hpp"

#include <array>
#include <cstdint>

namespace sinter::schedule {

/// Vector instructions that one row of points takes: all points that differ in the innermost axis. Infinite where the way
/// does not fit the extents.
double price_of_row(const lower::Kernel& kernel, const Candidates& candidates, const Way& way, const std::int64_t* sizes);

/// Of a point in way Inner, alone or next to others.
double price_of_point(const Candidates& candidates, const std::int64_t* sizes, bool alone);

/// Of a whole launch in way Points. The kernel has no loops.
double price_of_points(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes);

struct Choice {
    std::size_t way = 0;                     ///< position among the candidates
    std::array<double, most_ways> prices{};  ///< of a row, of each; not computed where there is one
};
/// Depends on extents alone.
Choice choose(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes);

/// Elements that loop k of the body has; a guess where its extents are computed.
double elements_of_loop(const Candidates& candidates, std::size_t k, const std::int64_t* sizes);

}  // namespace sinter::schedule
