// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/one_pass.hpp"

#include <algorithm>
#include <set>

namespace sinter::fuse {

namespace {

class Joiner {
  public:
    Joiner(const DepGraph& graph, Legality& legality, Clusters clusters, const Extents& extents, bool ranks)
        : graph_(graph),
          legality_(legality),
          extents_(extents),
          ranks_(ranks),
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
            for (std::size_t a = 0; a < b; ++a) {
                if (!may_join(clusters_[a], clusters_[b]) || !are_near(clusters_[a], clusters_[b])) continue;
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

    /// Whether there is what folds may go beside.
    bool has_company(const Operations& cluster) const {
        return std::any_of(cluster.begin(), cluster.end(),
                           [&](Operation op) { return graph_.scatter(op) != nullptr || graph_.scan(op) != nullptr; });
    }

    bool may_join(const Operations& a, const Operations& b) const {
        return has_fold(a) ? has_fold(b) || has_company(b) : has_fold(b) && has_company(a);
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
        const Operations outer = accumulating(both);
        if (outer.empty() || (ranks_ && passes_of(graph_, both).scan.valid() && are_exact(outer))) return std::nullopt;
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
        // A fold that needs what the scatter or the scan makes as a whole has stayed behind: no fold shares the pass.
        const Operations& shared = set.operations(set.of(heads[0][0]));
        if (!has_fold(shared)) return std::nullopt;
        depends_on_extents_ = true;
        if (!are_worthwhile(outer, shared)) return std::nullopt;
        Clusters joined = set.take();
        const bool gains = cost(graph_, joined, prices_) < cost(graph_, clusters_, prices_);
        return gains ? std::optional(std::move(joined)) : std::nullopt;
    }

    /// Outer folds, and a scatter beside folds.
    Operations accumulating(const Operations& operations) const {
        const Passes passes = passes_of(graph_, operations);
        const auto goes_along_rows = [&](Operation op) {
            return passes.rows.valid() && !fold_mismatch(graph_, passes.rows, op);
        };
        Operations result;
        for (Operation op : operations)
            if (op == passes.scatter || (graph_.fold(op) && !goes_along_rows(op) && may_be_outer(graph_, passes, op)))
                result.push_back(op);
        return result;
    }

    /// Whether the bits of folds are the same however their elements are associated.
    bool are_exact(const Operations& folds) const {
        return std::all_of(folds.begin(), folds.end(), [&](Operation op) {
            const std::vector<ir::Inst>& insts = graph_.fold(op)->op.body.insts;
            const bool extremum = insts.size() == 1 && (insts[0].op == ir::Op::minimum || insts[0].op == ir::Op::maximum ||
                                                        insts[0].op == ir::Op::fmin || insts[0].op == ir::Op::fmax);
            const std::vector<ir::Type>& types = graph_.binding(op).types;
            return extremum || std::none_of(types.begin(), types.end(),
                                            [](const ir::Type& type) { return detail::is_float(type.scalar); });
        });
    }

    /// What needs results of `outer`.
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
        const Passes passes = passes_of(graph_, cluster);
        const double points = extents_.elements(passes.points(graph_));
        const double elements = passes.rows.valid() ? extents_.elements(graph_.space(passes.rows)) : points;
        double bytes = 0, updated = 0, most = 0;
        bool is_of_elements = false;
        for (Operation op : outer) {
            is_of_elements = is_of_elements || (graph_.fold(op) && graph_.space(op) != passes.points(graph_));
            for (const ir::Type& type : graph_.binding(op).types) {
                (graph_.scatter(op) ? updated : bytes) += extents_.bytes(type);
                if (graph_.fold(op)) most = std::max(most, extents_.elements(type.shape));
            }
        }
        return bytes <= tuning::accumulator_bytes && updated <= tuning::updated_bytes &&
               points >= tuning::points_per_updated_byte * updated && elements >= tuning::elements_per_accumulator * most &&
               (!is_of_elements || elements >= tuning::least_row * points);
    }

    const DepGraph& graph_;
    Legality& legality_;
    const Extents& extents_;
    const bool ranks_;
    const Prices prices_;
    Clusters clusters_;
    std::vector<bool> in_tail_;  ///< by operation
    std::size_t tries_ = 0;
    bool depends_on_extents_ = false;
};

}  // namespace

OnePass one_pass(const DepGraph& graph, Legality& legality, Clusters clusters, const Extents& extents, bool ranks) {
    return Joiner(graph, legality, std::move(clusters), extents, ranks).run();
}

}  // namespace sinter::fuse
