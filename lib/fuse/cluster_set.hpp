// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A partition that is being coarsened: its clusters, which of them must run before which, and legal merging.
#pragma once

#include "fuse/rules/legality.hpp"

#include <unordered_map>

namespace sinter::fuse {

using Operations = std::vector<Operation>;
using Clusters = std::vector<Operations>;

/// For each operation its cluster, or `clusters.size()` if it is in none.
std::vector<std::size_t> clusters_by_operation(const DepGraph& graph, const Clusters& clusters);

/// The clusters in an order in which they can be executed; where there is a choice, in the order of their first operations.
/// Throws InternalError if there is no such order.
Clusters in_execution_order(const DepGraph& graph, Clusters clusters);
/// The same; in addition, what reads an array is executed before what overwrites a part of it, unless it needs the result:
/// otherwise the array would have to be copied.
Clusters readers_first(const DepGraph& graph, Clusters clusters);

/// A coarsening partition. Reachability is kept as bit sets over clusters: a merge costs (clusters)² / 64 steps in the worst
/// case.
class ClusterSet {
  public:
    /// `clusters` have to be legal and to cover all vertices.
    ClusterSet(const DepGraph& graph, Legality& legality, Clusters clusters);

    std::size_t of(Operation op) const { return of_[op.index]; }
    const Operations& operations(std::size_t cluster) const { return clusters_[cluster]; }
    std::size_t count() const { return count_; }
    /// The number of operations in all merges checked so far: a measure of the work done.
    std::size_t examined() const { return examined_; }

    /// Merges the clusters in `set` and all clusters on paths between them if that is legal; otherwise says why it is not.
    /// `joined`: the clusters are known to be connected by edges between them. A merge that failed is not tried again until
    /// one of `set` has grown.
    std::optional<Hindrance> merge(std::vector<std::size_t> set, bool joined);
    std::optional<Hindrance> hindrance(std::vector<std::size_t> set);

    Clusters take();

  private:
    using Row = std::vector<std::uint64_t>;
    void find_reachability();
    std::uint64_t key(std::vector<std::size_t> set) const;
    void close(std::vector<std::size_t>& set) const;
    Operations all_operations(const std::vector<std::size_t>& set) const;
    std::optional<Hindrance> check(const std::vector<std::size_t>& set, std::size_t asked, const Operations& operations);
    void commit(const std::vector<std::size_t>& set, Operations operations);

    const DepGraph& graph_;
    Legality& legality_;
    Clusters clusters_;            ///< empty if merged into another
    std::vector<std::size_t> of_;  ///< by operation
    std::vector<Row> below_;       ///< by cluster: the clusters that must run after it
    Row present_;                  ///< clusters that were not merged into another
    std::size_t count_;
    std::size_t examined_ = 0;
    std::vector<std::size_t> grown_;                       ///< by cluster: how often it has absorbed others
    std::unordered_map<std::uint64_t, Hindrance> failed_;  ///< by a hash of the clusters asked for and their grown_
};

}  // namespace sinter::fuse
