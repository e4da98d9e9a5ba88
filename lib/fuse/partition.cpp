// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/partition.hpp"

#include "fuse/rules/verify_partition.hpp"
#include "fuse/strategy/one_pass.hpp"
#include "fuse/strategy/optimal.hpp"
#include "fuse/strategy/split_large.hpp"
#include "fuse/strategy/strategies.hpp"
#include "support/verifying.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace sinter::fuse {

namespace {

Clusters solve(const DepGraph& graph, Strategy strategy, const Extents& extents, Partition& result) {
    switch (strategy) {
        case Strategy::none:
            return none(graph);
        case Strategy::greedy_down:
            return greedy_down(graph);
        case Strategy::greedy_up:
            return greedy_up(graph);
        case Strategy::t2:
            return t2(graph);
        case Strategy::optimal:
            break;
    }
    Optimum best = optimal(graph, Prices::bytes(extents));
    result.depends_on_extents = best.depends_on_extents;
    return std::move(best.clusters);
}

/// What is stored whatever the partition, and what one cluster reads from another.
std::vector<ir::ValueId> find_manifest(const DepGraph& graph, const ClusterSet& clusters) {
    std::vector<bool> manifest = graph.stored;
    for (const Access& access : graph.accesses)
        if (access.producer.valid() && clusters.of(access.producer) != clusters.of(access.reader))
            manifest[access.variable.index] = true;
    std::vector<ir::ValueId> result;
    for (std::size_t level = 0; level < manifest.size(); ++level)
        if (manifest[level]) result.emplace_back(level);
    return result;
}

/// Finds the reasons for the edges between clusters: why not even producer and reader could share a cluster, or else why
/// these cannot together with all that is in their clusters. The latter is asked once for each pair of clusters.
class Explainer {
  public:
    /// `whole`: by operation, its cluster before those that are too large were split.
    Explainer(const DepGraph& graph, Legality& legality, ClusterSet& clusters, Strategy strategy,
              std::vector<std::size_t> whole)
        : graph_(graph), legality_(legality), clusters_(clusters), strategy_(strategy), whole_(std::move(whole)) {}

    std::vector<Unfused> explain() {
        std::vector<Unfused> result;
        for (const Access& access : graph_.accesses) {
            if (!access.producer.valid() || clusters_.of(access.producer) == clusters_.of(access.reader)) continue;
            std::size_t k = access.variable.index - graph_.levels[access.producer.index];
            Reason why = reason(access);
            bool repeated = !result.empty() && result.back().producer == access.producer && result.back().result == k &&
                            result.back().consumer == access.reader && result.back().reason == why.words;
            if (!repeated) result.push_back({access.producer, access.reader, k, std::move(why.words), std::move(why.about)});
        }
        return result;
    }

  private:
    struct Reason {
        std::string words;
        std::vector<Operation> about;
    };

    Reason reason(const Access& access) {
        if (access.obstacle != Obstacle::none) return {describe(graph_, access), {}};
        if (strategy_ == Strategy::none) return {"fusion is switched off", {}};
        if (whole_[access.producer.index] == whole_[access.reader.index])
            return {"one kernel of both would be too large", {}};
        std::pair clusters{clusters_.of(access.producer), clusters_.of(access.reader)};
        auto [known, is_new] = reasons_.try_emplace(clusters);
        if (is_new) known->second = reason(clusters_.hindrance({clusters.first, clusters.second}));
        const auto own = legality_.hindrance(std::array{access.producer, access.reader}, true);
        return own && !known->second.about.empty() ? reason(own) : known->second;
    }

    Reason reason(const std::optional<Hindrance>& hindrance) const {
        if (!hindrance) return {"the strategy found no gain in it", {}};
        Reason result{describe(graph_, *hindrance), {hindrance->first}};
        if (hindrance->second.valid()) result.about.push_back(hindrance->second);
        return result;
    }

    const DepGraph& graph_;
    Legality& legality_;
    ClusterSet& clusters_;
    Strategy strategy_;
    std::vector<std::size_t> whole_;
    std::map<std::pair<std::size_t, std::size_t>, Reason> reasons_;
};

Extents extents_of(const ir::Program& program, std::vector<std::int64_t> sizes, const Target& target) {
    return sizes.empty() ? Extents::nominal(program.sizes, target.launch) : Extents(std::move(sizes), target.launch);
}

bool needs_copy(const DepGraph& graph, Legality& legality, const Operations& operations) {
    const auto scatter =
        std::find_if(operations.begin(), operations.end(), [&](Operation op) { return graph.scatter(op) != nullptr; });
    if (scatter == operations.end() || legality.hindrance(operations, true)) return false;
    return !legality.updates_in_place(*scatter);
}

/// Fills in the rest of a partition whose clusters `strategy` made.
void fill(const DepGraph& graph, Strategy strategy, Clusters of, const Extents& extents, const Target& target,
          Partition& result) {
    Legality legality(graph, target.outer_folds);
    if (target.outer_folds && strategy == Strategy::optimal) {
        OnePass found = one_pass(graph, legality, std::move(of), extents, target.ranks);
        of = std::move(found.clusters);
        result.depends_on_extents |= found.depends_on_extents;
    }
    std::vector<std::size_t> whole = clusters_by_operation(graph, of);
    ClusterSet clusters(graph, legality, split_large(graph, legality, std::move(of)));
    result.manifest = find_manifest(graph, clusters);
    result.unfused = Explainer(graph, legality, clusters, strategy, std::move(whole)).explain();
    for (Operations& operations : readers_first(graph, clusters.take())) {
        const bool copies = needs_copy(graph, legality, operations);
        result.clusters.push_back({std::move(operations), copies});
    }
}

}  // namespace

Partition partition(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer, Strategy strategy,
                    std::vector<std::int64_t> sizes, const Target& target) {
    const DepGraph graph = dep_graph(program, body, outer);
    const Extents extents = extents_of(program, std::move(sizes), target);
    Partition result;
    Clusters clusters = solve(graph, strategy, extents, result);
    fill(graph, strategy, std::move(clusters), extents, target, result);
    if (is_verifying()) verify(program, body, outer, result);
    return result;
}

Partition partition_into(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                         Clusters clusters, std::vector<std::int64_t> sizes, const Target& target) {
    const Extents extents = extents_of(program, std::move(sizes), target);
    Partition result;
    fill(dep_graph(program, body, outer), Strategy::optimal, std::move(clusters), extents, target, result);
    if (is_verifying()) verify(program, body, outer, result);
    return result;
}

}  // namespace sinter::fuse
