// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that update elements in copies of the arrays, of which each rank makes those of its runs of points. Copies are
// combined by every rank in the order of one rank; where the order shows in no bits, each rank combines its own before they
// travel.
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/launch/shared_launch.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::runtime {

/// Gathers the copies of all ranks; returns how many there are.
std::int64_t SharedLaunch::gather_updated(const Partials& mine, const Partials& all) const {
    const bool joined = shared_->joins_in_any_order();
    std::vector<std::int64_t> counts;
    for (const Interval& part : share_.parts)
        counts.push_back(joined ? std::min<std::int64_t>(1, part.length()) : part.length());
    const auto own = static_cast<std::size_t>(rank_);
    const std::vector<std::size_t> bytes = shared_->partial_bytes();
    std::int64_t before = 0, count = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        if (rank < own) before += counts[rank];
        count += counts[rank];
    }
    for (std::size_t v = 0; v < bytes.size(); ++v) {
        const auto each = static_cast<std::int64_t>(bytes[v]);
        void* const from = at(mine.arrays[v], share_.parts[own].begin * each);
        void* const to = at(all.arrays[v], before * each);
        if (joined && counts[own] > 0) std::memcpy(to, from, bytes[v]);
        std::vector<std::size_t> lengths;
        for (std::int64_t copies : counts) lengths.push_back(static_cast<std::size_t>(copies * each));
        gather(to, all.arrays[v], lengths, "run", context_.call.where);
    }
    return count;
}

void SharedLaunch::update() {
    Results results;
    for (std::size_t k = 0; k < step_.outputs.size(); ++k)
        results.push_back(place::writes(facts_, k)
                              ? allocate_rows(k, facts_.outputs[k].layout, place::written(facts_, share_, k, rank_))
                              : allocate_result(k));
    const bool joined = shared_->joins_in_any_order();
    const Partials mine = allocate_partials(facts_.chunks);
    const Partials all = joined ? allocate_partials(ranks_) : mine;
    const Interval part = share_.parts[static_cast<std::size_t>(rank_)];
    ErrorSlot error;
    each_piece([&](std::size_t p) {
        shared_->launch_chunks(buffers(p, results).data(), mine.arrays.data(), pieces_[p].part, error);
    });
    check(error);
    const std::vector<void*> arrays = buffers(pieces_.size(), results);
    if (joined && !part.empty()) shared_->join_chunks(arrays.data(), mine.arrays.data(), part, error);
    meet_others();
    const std::int64_t copies = gather_updated(mine, all);
    shared_->join_chunks(arrays.data(), all.arrays.data(), {0, copies}, error);
    const std::vector<std::size_t> updated = shared_->updated(), bytes = shared_->partial_bytes();
    for (std::size_t v = 0; v < updated.size(); ++v) std::memcpy(arrays[updated[v]], all.arrays[v], bytes[v]);
    unsettle();
    exchange_scanned(results);
    keep(std::move(results));
}

}  // namespace sinter::runtime
