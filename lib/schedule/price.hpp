// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the ways of a kernel cost for the extents of a call, and which of them is taken.
#pragma once

#include "schedule/candidates.hpp"

#include <array>
#include <cstdint>

namespace sinter::schedule {

/// The vector instructions that one row takes, that is, all points that differ in the innermost axis only. Infinite if the
/// way does not fit the extents.
double price_of_row(const lower::Kernel& kernel, const Candidates& candidates, const Way& way, const std::int64_t* sizes);

/// The price of a point in way Inner, if it is alone or if it is next to others.
double price_of_point(const Candidates& candidates, const std::int64_t* sizes, bool alone);

/// The price of a whole launch in way Points.
double price_of_points(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes);
/// The same in the cheapest way.
double price_of_launch(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes);

struct Choice {
    std::size_t way = 0;                     ///< position among the candidates
    std::array<double, most_ways> prices{};  ///< of a row, by way; not computed if there is only one way
};
/// Chooses a way. Depends on extents alone.
Choice choose(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes);

/// The number of elements of loop k of the body; a guess if its extents are computed.
double elements_of_loop(const Candidates& candidates, std::size_t k, const std::int64_t* sizes);

}  // namespace sinter::schedule
