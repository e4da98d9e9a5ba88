// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/flat.hpp"

#include "schedule/price.hpp"
#include "schedule/tuning.hpp"

namespace sinter::schedule {

bool may_gain_flat(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes) {
    const Facts& facts = candidates.facts;
    if (kernel.space.size() < 2 || facts.has_local_buffers || !facts.updates.empty()) return false;
    const std::int64_t columns = sizes[kernel.space.back().index];
    return columns > 0 && columns < (facts.loops.empty() ? tuning::long_row : tuning::long_row_of_folds);
}

std::vector<std::int64_t> flat_sizes(const lower::Kernel& kernel, const lower::Kernel& flat, const std::int64_t* sizes) {
    std::vector<std::int64_t> result(sizes, sizes + kernel.sizes.count());
    result.resize(flat.sizes.count());
    set_flat_extent(kernel, flat, result);
    return result;
}

void set_flat_extent(const lower::Kernel& kernel, const lower::Kernel& flat, std::span<std::int64_t> sizes) {
    const std::size_t axes = kernel.space.size();
    sizes[flat.space.back().index] = sizes[kernel.space[axes - 2].index] * sizes[kernel.space[axes - 1].index];
}

FlatPrices compare_flat(const lower::Kernel& kernel, const Candidates& candidates, const lower::Kernel& flat,
                        const Candidates& flat_candidates, const std::int64_t* sizes) {
    const std::vector<std::int64_t> own = flat_sizes(kernel, flat, sizes);
    if (candidates.facts.loops.empty())
        return {price_of_points(kernel, candidates, sizes), price_of_points(flat, flat_candidates, own.data())};
    return {price_of_launch(kernel, candidates, sizes), price_of_launch(flat, flat_candidates, own.data())};
}

}  // namespace sinter::schedule
