// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the extents of a call decide about a launch: the way in which the kernel runs, and its tasks.
#pragma once

#include "jit/host/kernel_code.hpp"
#include "schedule/decision.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinter::host {

struct Binding {
    const KernelCode* code = nullptr;  ///< that of the kernel, or of another form
    schedule::Decision decision;
    std::vector<std::int64_t> sizes;  ///< its size table
    std::size_t given = 0;            ///< number of leading sizes that the call gives
    int threads = 1;
    bool has_parts = true;     ///< parts may be executed that associate as the whole launch does
    bool among_ranks = false;  ///< where values meet, the same wins on each
    const WayCode* way_code = nullptr;

    const schedule::Tasks& tasks() const { return decision.tasks; }
    /// `repeats`: for many launches, as those of a loop.
    void find_code(bool repeats = false) {
        const double launches = repeats ? schedule::tuning::launches_of_a_loop : 1;
        way_code = &code->code(decision.choice.way, launches * tasks().work);
    }
    bool fits(const std::int64_t* others, int thread_limit, bool is_among_ranks) const {
        return threads == thread_limit && among_ranks == is_among_ranks &&
               std::equal(sizes.data(), sizes.data() + given, others);
    }
};

}  // namespace sinter::host
