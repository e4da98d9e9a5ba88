// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The partitions of small programs, all of them.
#pragma once

#include "fuse/cluster_set.hpp"
#include "fuse/cost.hpp"
#include "fuse/rules/legality.hpp"

#include <limits>
#include <map>

namespace sinter::fuse::test {

/// All partitions into legal clusters that can run one after the other.
class AllPartitions {
  public:
    explicit AllPartitions(const DepGraph& graph) : graph_(graph), legality_(graph) {}

    /// Calls `f` with each.
    template <class F>
    void for_each(F f) {
        extend(0, f);
    }

  private:
    template <class F>
    void extend(std::size_t k, F& f) {
        if (k == graph_.vertices.size()) {
            if (is_legal()) f(clusters_);
            return;
        }
        for (std::size_t c = 0; c <= clusters_.size(); ++c) {
            if (c == clusters_.size()) clusters_.emplace_back();
            clusters_[c].push_back(graph_.vertices[k]);
            extend(k + 1, f);
            clusters_[c].pop_back();
            if (clusters_[c].empty()) {
                clusters_.pop_back();
                break;
            }
        }
    }

    bool is_legal() {
        for (const Operations& cluster : clusters_) {
            auto [known, is_new] = legal_.try_emplace(cluster);
            if (is_new) known->second = !legality_.hindrance(cluster);
            if (!known->second) return false;
        }
        try {
            in_execution_order(graph_, clusters_);
        } catch (const InternalError&) {
            return false;
        }
        return true;
    }

    const DepGraph& graph_;
    Legality legality_;
    Clusters clusters_;
    std::map<Operations, bool> legal_;
};

/// By function: the least cost of all partitions.
inline std::vector<double> least_costs(const DepGraph& graph, const std::vector<Prices>& prices) {
    std::vector<double> least(prices.size(), std::numeric_limits<double>::infinity());
    AllPartitions(graph).for_each([&](const Clusters& clusters) {
        for (std::size_t k = 0; k < prices.size(); ++k) least[k] = std::min(least[k], cost(graph, clusters, prices[k]));
    });
    return least;
}

}  // namespace sinter::fuse::test
