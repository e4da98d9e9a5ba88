// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ways in which one kernel may run on one machine, and what of their prices does not depend on extents.
#pragma once

#include "schedule/facts.hpp"
#include "schedule/schedule.hpp"

#include <array>
#include <vector>

namespace sinter::schedule {

/// What a vector of elements takes, in vector instructions of 256 bits.
struct VectorPrice {
    double lanes = 1;  ///< elements
    double all = 0;
    double once = 0;  ///< of these: outside of inner loops
};

/// Refers to the kernel.
struct Candidates {
    Facts facts;
    std::vector<Way> ways;           ///< at least one; of equal prices the first is taken
    VectorPrice points;              ///< of points in lanes
    std::vector<VectorPrice> loops;  ///< of elements of the body's loops, lanes on their innermost axes
    double instruction_time = 1;     ///< of a vector as wide as the machine's
};
Candidates candidates_of(const lower::Kernel& kernel, const Machine& machine);
constexpr std::size_t most_ways = 4;

/// What tasks may execute in parts: scans and compacts only where their own axis has lanes.
const lower::Inst* chunked_in(const Candidates& candidates, const Way& way);

Schedule schedule_of(const lower::Kernel& kernel, const Machine& machine, const Candidates& candidates, const Way& way);

}  // namespace sinter::schedule
