// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/merging.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <tuple>

namespace sinter::fuse {

namespace {

Label course(const DepGraph& graph, const Access& access) { return graph.labels.course(access.label); }

/// The reads that clusters can share, grouped by array and course.
std::vector<const Access*> shareable_reads(const DepGraph& graph) {
    std::vector<const Access*> reads;
    for (const Access& access : graph.accesses)
        if (!access.whole && access.label != scalar_read) reads.push_back(&access);
    auto key = [&](const Access* a) { return std::tuple(a->variable, course(graph, *a), a->reader); };
    std::sort(reads.begin(), reads.end(), [&](auto* a, auto* b) { return key(a) < key(b); });
    return reads;
}

void insert(std::vector<std::size_t>& set, std::size_t c) {
    if (std::find(set.begin(), set.end(), c) == set.end()) set.push_back(c);
}

/// The clusters of the producer of `access` and of everything that reads its result.
std::vector<std::size_t> with_all_readers(const DepGraph& graph, const ClusterSet& clusters, Operation producer) {
    std::vector<std::size_t> set{clusters.of(producer)};
    for (std::uint32_t use : graph.uses[producer.index]) insert(set, clusters.of(graph.accesses[use].reader));
    return set;
}

}  // namespace

bool fuse_edge(const DepGraph& graph, ClusterSet& clusters, const Access& access) {
    if (!access.producer.valid() || (access.obstacle != Obstacle::none && access.obstacle != Obstacle::repetition))
        return false;
    std::size_t from = clusters.of(access.producer), to = clusters.of(access.reader);
    if (from == to) return false;
    auto found = clusters.merge({from, to}, true);
    if (!found) return true;
    if (found->kind != Hindrance::Kind::partial && found->kind != Hindrance::Kind::shapes) return false;
    auto set = with_all_readers(graph, clusters, access.producer);
    return set.size() > 2 && !clusters.merge(std::move(set), true);
}

bool fuse_horizontally(const DepGraph& graph, ClusterSet& clusters) {
    bool changed = false;
    std::vector<Operation> apart;  // one reader for each cluster that reads the current array in the current course
    const Access* previous = nullptr;
    for (const Access* access : shareable_reads(graph)) {
        if (!previous || previous->variable != access->variable || course(graph, *previous) != course(graph, *access))
            apart.clear();
        previous = access;
        std::size_t own = clusters.of(access->reader);
        auto is_own = [&](Operation reader) { return clusters.of(reader) == own; };
        if (std::any_of(apart.begin(), apart.end(), is_own)) continue;
        std::size_t first = apart.size() > tuning::tries ? apart.size() - tuning::tries : 0;
        bool merged = false;
        for (std::size_t k = apart.size(); k-- > first && !merged;)
            merged = !clusters.merge({clusters.of(apart[k]), own}, false);
        if (merged)
            changed = true;
        else
            apart.push_back(access->reader);
    }
    return changed;
}

}  // namespace sinter::fuse
