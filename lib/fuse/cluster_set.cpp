// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/cluster_set.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace sinter::fuse {

namespace {

void put(std::vector<std::uint64_t>& row, std::size_t i) { row[i / 64] |= std::uint64_t{1} << (i % 64); }
void drop(std::vector<std::uint64_t>& row, std::size_t i) { row[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

void unite(std::vector<std::uint64_t>& row, const std::vector<std::uint64_t>& other) {
    for (std::size_t w = 0; w < row.size(); ++w) row[w] |= other[w];
}

bool meet(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if (a[w] & b[w]) return true;
    return false;
}

/// For each cluster: the clusters that read what it makes, each once.
std::vector<std::vector<std::size_t>> successors(const DepGraph& graph, const Clusters& clusters,
                                                 const std::vector<std::size_t>& of) {
    std::vector<std::vector<std::size_t>> next(clusters.size());
    for (const Access& access : graph.accesses) {
        if (!access.producer.valid()) continue;
        std::size_t from = of[access.producer.index], to = of[access.reader.index];
        if (from != to) next[from].push_back(to);
    }
    for (auto& list : next) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return next;
}

}  // namespace

std::vector<std::size_t> clusters_by_operation(const DepGraph& graph, const Clusters& clusters) {
    std::vector<std::size_t> of(graph.roles.size(), clusters.size());
    for (std::size_t c = 0; c < clusters.size(); ++c)
        for (Operation op : clusters[c]) of[op.index] = c;
    return of;
}

namespace {

using Successors = std::vector<std::vector<std::size_t>>;

/// Of those that may come next, the one with the least number.
Clusters sorted(Clusters clusters, const Successors& next) {
    std::vector<std::size_t> waits(clusters.size(), 0);
    for (const auto& list : next)
        for (std::size_t c : list) ++waits[c];
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t c = 0; c < clusters.size(); ++c)
        if (waits[c] == 0) ready.push(c);
    Clusters ordered;
    while (!ready.empty()) {
        std::size_t c = ready.top();
        ready.pop();
        ordered.push_back(std::move(clusters[c]));
        for (std::size_t d : next[c])
            if (--waits[d] == 0) ready.push(d);
    }
    check(ordered.size() == clusters.size(), "fusion: clusters depend on each other in a circle");
    return ordered;
}

bool reaches(const Successors& next, std::size_t from, std::size_t to) {
    std::vector<bool> seen(next.size());
    std::vector<std::size_t> stack{from};
    seen[from] = true;
    while (!stack.empty()) {
        const std::size_t c = stack.back();
        stack.pop_back();
        if (c == to) return true;
        for (std::size_t d : next[c])
            if (!seen[d]) seen[d] = true, stack.push_back(d);
    }
    return false;
}

/// Every reader of an array that is overwritten, before the cluster that does so.
void order_readers(const DepGraph& graph, const std::vector<std::size_t>& of, Successors& next) {
    for (const Access& update : graph.accesses) {
        if (!update.updated) continue;
        const std::size_t last = of[update.reader.index];
        for (const Access& access : graph.accesses) {
            const std::size_t reader = of[access.reader.index];
            if (access.variable != update.variable || reader == last) continue;
            const bool known = std::find(next[reader].begin(), next[reader].end(), last) != next[reader].end();
            if (!known && !reaches(next, last, reader)) next[reader].push_back(last);
        }
    }
}

}  // namespace

Clusters in_execution_order(const DepGraph& graph, Clusters clusters) {
    std::sort(clusters.begin(), clusters.end());  // by first operation
    const Successors next = successors(graph, clusters, clusters_by_operation(graph, clusters));
    return sorted(std::move(clusters), next);
}

Clusters readers_first(const DepGraph& graph, Clusters clusters) {
    std::sort(clusters.begin(), clusters.end());
    const std::vector<std::size_t> of = clusters_by_operation(graph, clusters);
    Successors next = successors(graph, clusters, of);
    order_readers(graph, of, next);
    return sorted(std::move(clusters), next);
}

ClusterSet::ClusterSet(const DepGraph& graph, Legality& legality, Clusters clusters)
    : graph_(graph),
      legality_(legality),
      clusters_(in_execution_order(graph, std::move(clusters))),
      of_(clusters_by_operation(graph, clusters_)),
      count_(clusters_.size()),
      grown_(clusters_.size(), 0) {
    find_reachability();
}

/// Finds what each cluster reaches. Clusters are in execution order, so one sweep from the last is enough.
void ClusterSet::find_reachability() {
    below_.assign(clusters_.size(), Row((clusters_.size() + 63) / 64, 0));
    present_.assign((clusters_.size() + 63) / 64, 0);
    for (std::size_t c = 0; c < clusters_.size(); ++c) put(present_, c);
    auto next = successors(graph_, clusters_, of_);
    for (std::size_t c = clusters_.size(); c-- > 0;) {
        for (std::size_t d : next[c]) {
            put(below_[c], d);
            unite(below_[c], below_[d]);
        }
    }
}

std::uint64_t ClusterSet::key(std::vector<std::size_t> set) const {
    std::sort(set.begin(), set.end());
    std::uint64_t hash = 0;
    for (std::size_t c : set) {
        hash = (hash ^ (std::uint64_t{c} << 32 | grown_[c])) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/// Adds every cluster that is below one of `set` and above another.
void ClusterSet::close(std::vector<std::size_t>& set) const {
    Row members(below_[set[0]].size(), 0), below(members);
    for (std::size_t c : set) put(members, c);
    for (std::size_t c : set) unite(below, below_[c]);
    for (std::size_t w = 0; w < below.size(); ++w) {
        for (std::uint64_t bits = below[w] & ~members[w] & present_[w]; bits != 0; bits &= bits - 1) {
            std::size_t c = 64 * w + static_cast<std::size_t>(__builtin_ctzll(bits));
            if (meet(below_[c], members)) set.push_back(c);
        }
    }
}

Operations ClusterSet::all_operations(const std::vector<std::size_t>& set) const {
    Operations all;
    for (std::size_t c : set) {
        const auto middle = all.insert(all.end(), clusters_[c].begin(), clusters_[c].end());
        std::inplace_merge(all.begin(), middle, all.end());
    }
    return all;
}

/// `asked` is how many of `set` were asked for. The others lie between these; if only they are in the way, the hindrance
/// reported is the path.
std::optional<Hindrance> ClusterSet::check(const std::vector<std::size_t>& set, std::size_t asked,
                                           const Operations& operations) {
    auto found = legality_.hindrance(operations);
    if (!found || set.size() == asked) return found;
    auto alone = legality_.hindrance(all_operations({set.begin(), set.begin() + static_cast<std::ptrdiff_t>(asked)}));
    if (alone) return alone;
    std::vector<std::size_t> ends(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(asked));
    std::sort(ends.begin(), ends.end(), [&](auto a, auto b) { return clusters_[a].front() < clusters_[b].front(); });
    return Hindrance{Hindrance::Kind::path, clusters_[ends.front()].front(), clusters_[ends.back()].back()};
}

std::optional<Hindrance> ClusterSet::hindrance(std::vector<std::size_t> set) {
    std::size_t asked = set.size();
    close(set);
    return check(set, asked, all_operations(set));
}

std::optional<Hindrance> ClusterSet::merge(std::vector<std::size_t> set, bool joined) {
    std::uint64_t asked = key(set);
    if (auto failed = failed_.find(asked); failed != failed_.end()) return failed->second;
    close(set);
    Operations operations = all_operations(set);
    examined_ += operations.size();
    auto found = legality_.hindrance(operations, joined);
    if (found)
        failed_.emplace(asked, *found);
    else
        commit(set, std::move(operations));
    return found;
}

void ClusterSet::commit(const std::vector<std::size_t>& set, Operations operations) {
    std::size_t into = *std::min_element(set.begin(), set.end());
    Row members(below_[into].size(), 0), below(members);
    for (std::size_t c : set) put(members, c), unite(below, below_[c]);
    for (std::size_t c : set) drop(below, c), drop(present_, c), clusters_[c].clear();
    put(present_, into);
    for (Operation op : operations) of_[op.index] = into;
    clusters_[into] = std::move(operations);
    below_[into] = below;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        if (c == into || clusters_[c].empty() || !meet(below_[c], members)) continue;
        unite(below_[c], below);
        put(below_[c], into);
    }
    ++grown_[into];
    count_ -= set.size() - 1;
}

Clusters ClusterSet::take() {
    std::erase_if(clusters_, [](const Operations& operations) { return operations.empty(); });
    return std::move(clusters_);
}

}  // namespace sinter::fuse
