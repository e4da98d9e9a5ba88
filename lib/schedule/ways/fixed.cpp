// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/fixed.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>
#include <iterator>

namespace sinter::schedule {

namespace {

/// An extent of one is often that of an array that is broadcast: nothing is gained by it.
bool is_short(std::int64_t extent) { return extent > 1 && extent <= tuning::most_fixed_extent; }

}  // namespace

bool may_gain_fixed(const Candidates& candidates) {
    const Facts& facts = candidates.facts;
    return facts.loops.empty() && !facts.ordered && facts.updates.empty() && !facts.has_local_buffers &&
           facts.points.strided > 0;
}

std::vector<ir::SizeId> fixed_sizes(const std::vector<ir::SizeId>& used, const std::int64_t* sizes) {
    std::vector<ir::SizeId> result;
    std::copy_if(used.begin(), used.end(), std::back_inserter(result),
                 [&](ir::SizeId id) { return is_short(sizes[id.index]); });
    return result;
}

bool fixes_alike(const std::vector<ir::SizeId>& used, const std::int64_t* sizes, const std::int64_t* others) {
    return std::all_of(used.begin(), used.end(), [&](ir::SizeId id) {
        const std::int64_t a = sizes[id.index], b = others[id.index];
        return a == b || (!is_short(a) && !is_short(b));
    });
}

}  // namespace sinter::schedule
