// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the files of this folder compute with intervals.
#pragma once

#include "place/share.hpp"

#include <algorithm>
#include <cstdint>

namespace sinter::place {

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
inline std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

inline Interval common(const Interval& a, const Interval& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// Of the axis that is cut.
inline const schedule::PartFacts& facts_of(const LaunchFacts& launch, Way way) {
    return way == Way::points ? *launch.points : *launch.reduced;
}

}  // namespace sinter::place
