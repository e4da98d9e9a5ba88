// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/one_pass.hpp"

#include <algorithm>
#include <set>

namespace sinter::fuse {

namespace {

class Joiner {
  public:
    Joiner(const DepGraph& graph, Legality& legality, Clusters clusters, const Extents& extents)
        : graph_(graph),
          legality_(legality),
          extents_(extents),
          prices_(Prices::bytes(extents)),
          clusters_(std::move(clusters)),
          in_tail_(graph.roles.size(), false) {}

    OnePass run() {
        if (clusters_.size() <= tuning::greedy_limit)
            while (improve()) {
            }
        return {std::move(clusters_), depends_on_extents_};
    }

  private:
    /// Whether two clusters were joined.
    bool improve() {
        for (std::size_t b = 0; b < clusters_.size(); ++b) {
            for (std::size_t a = 0; has_fold(clusters_[b]) && a < b; ++a) {
                if (!has_fold(clusters_[a]) || !are_near(clusters_[a], clusters_[b])) continue;
                if (tries_++ == tuning::most_joined) return false;
                auto joined = join(a, b);
                if (!joined) continue;
                clusters_ = std::move(*joined);
                return true;
            }
        }
        return false;
    }

    bool has_fold(const Operations& cluster) const {
        return std::any_of(cluster.begin(), cluster.end(), [&](Operation op) { return graph_.fold(op) != nullptr; });
    }

    /// Whether they read one array, or one what the other makes.
    bool are_near(const Operations& a, const Operations& b) const {
        std::set<ir::ValueId> arrays;
        for (Operation op : a) {
            for (const Access& access : graph_.reads(op))
                if (graph_.types[access.variable.index].rank() > 0) arrays.insert(access.variable);
            for (std::size_t k = 0; k < graph_.result_count(op); ++k) arrays.insert(graph_.result(op, k));
        }
        return std::any_of(b.begin(), b.end(), [&](Operation op) {
            const auto reads = graph_.reads(op);
            return std::any_of(reads.begin(), reads.end(),
                               [&](const Access& access) { return arrays.count(access.variable) > 0; });
        });
    }

    /// All clusters, with these two as one, if that is legal and gains.
    std::optional<Clusters> join(std::size_t a, std::size_t b) {
        Operations both = clusters_[a];
        both.insert(both.end(), clusters_[b].begin(), clusters_[b].end());
        std::sort(both.begin(), both.end());
        const Operations outer = outer_folds(both);
        if (outer.empty()) return std::nullopt;
        find_tail(both, outer);
        const Operations heads[] = {part(clusters_[a], false), part(clusters_[b], false)};
        if (heads[0].empty() || heads[1].empty()) return std::nullopt;
        Clusters parts{heads[0], heads[1], part(clusters_[a], true), part(clusters_[b], true)};
        std::erase_if(parts, [](const Operations& operations) { return operations.empty(); });
        for (const Operations& operations : parts)
            if (legality_.hindrance(operations)) return std::nullopt;
        for (std::size_t c = 0; c < clusters_.size(); ++c)
            if (c != a && c != b) parts.push_back(clusters_[c]);
        ClusterSet set(graph_, legality_, std::move(parts));
        if (set.merge({set.of(heads[0][0]), set.of(heads[1][0])}, false)) return std::nullopt;
        depends_on_extents_ = true;
        if (!are_worthwhile(outer, set.operations(set.of(heads[0][0])))) return std::nullopt;
        Clusters joined = set.take();
        const bool gains = cost(graph_, joined, prices_) < cost(graph_, clusters_, prices_);
        return gains ? std::optional(std::move(joined)) : std::nullopt;
    }

    Operations outer_folds(const Operations& operations) const {
        const Operation rows = fold_of_rows(graph_, operations);
        Operations outer;
        for (Operation op : operations)
            if (graph_.fold(op) && fold_mismatch(graph_, rows, op) && may_be_outer(graph_, rows, op)) outer.push_back(op);
        return outer;
    }

    /// What needs results of outer folds.
    void find_tail(const Operations& operations, const Operations& outer) {
        for (Operation op : operations) {
            const auto reads = graph_.reads(op);
            in_tail_[op.index] = std::any_of(reads.begin(), reads.end(), [&](const Access& access) {
                if (!std::binary_search(operations.begin(), operations.end(), access.producer)) return false;
                return in_tail_[access.producer.index] || std::binary_search(outer.begin(), outer.end(), access.producer);
            });
        }
    }

    Operations part(const Operations& cluster, bool tail) const {
        Operations result;
        for (Operation op : cluster)
            if (in_tail_[op.index] == tail) result.push_back(op);
        return result;
    }

    bool are_worthwhile(const Operations& outer, const Operations& cluster) const {
        double bytes = 0, most = 0;
        for (Operation op : outer)
            for (const ir::Type& type : graph_.binding(op).types) {
                bytes += extents_.bytes(type);
                most = std::max(most, extents_.elements(type.shape));
            }
        const Operation rows = fold_of_rows(graph_, cluster);
        const double elements = extents_.elements(graph_.space(rows)), points = extents_.elements(graph_.points(rows));
        return bytes <= tuning::accumulator_bytes && elements >= tuning::elements_per_accumulator * most &&
               elements >= tuning::least_row * points;
    }

    const DepGraph& graph_;
    Legality& legality_;
    const Extents& extents_;
    const Prices prices_;
    Clusters clusters_;
    std::vector<bool> in_tail_;  ///< by operation
    std::size_t tries_ = 0;
    bool depends_on_extents_ = false;
};

}  // namespace

OnePass one_pass(const DepGraph& graph, Legality& legality, Clusters clusters, const Extents& extents) {
    return Joiner(graph, legality, std::move(clusters), extents).run();
}

}  // namespace sinter::fuse
