// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ways in which one kernel may run on one machine, and the part of their prices that does not depend on extents.
#pragma once

#include "schedule/facts/facts.hpp"
#include "schedule/schedule.hpp"

#include <array>
#include <vector>

namespace sinter::schedule {

/// The cost of a vector of elements, in vector instructions of 256 bits.
struct VectorPrice {
    double lanes = 1;  ///< number of elements
    double all = 0;
    double once = 0;     ///< the part of `all` outside inner loops
    double combine = 0;  ///< of a reduce or scan: applying its operator to a vector, which `all` contains
    double shared = 0;   ///< what the lanes of all vectors side by side share, which `all` does not contain
};

/// What may be done with a kernel. Refers to the kernel.
struct Candidates {
    Facts facts;
    std::vector<Way> ways;           ///< at least one; if prices are equal, the first is taken
    VectorPrice points;              ///< of points, with lanes along the innermost parallel axis
    std::vector<VectorPrice> loops;  ///< of elements of the body's loops, with lanes along their innermost axes
    double instruction_time = 1;     ///< of a vector instruction of the machine's width
};
Candidates candidates_of(const lower::Kernel& kernel, const Machine& machine);
constexpr std::size_t most_ways = 7;

/// The loop that tasks may execute in parts; a scan or compact only if lanes go along its own axis. Null if there is none.
const lower::Inst* chunked_in(const Candidates& candidates, const Way& way);

Schedule schedule_of(const lower::Kernel& kernel, const Machine& machine, const Candidates& candidates, const Way& way);

}  // namespace sinter::schedule
