// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A feasible clustering that grows.
#pragma once

#include "fuse/solve/problem/node.hpp"

namespace sinter::fuse::solve {

/// A feasible clustering that grows, starting with every vertex alone. A merge costs about (count)² / 64 steps.
class Coarsening {
  public:
    Coarsening(const Node& node, const Relations& relations, const Allowed& allowed);

    /// Merges the clusters of `vertices` and those between them, unless that is infeasible or not allowed.
    bool merge(std::span<const Vertex> vertices);
    const Labels& labels() const { return labels_; }

  private:
    void take(std::vector<std::uint64_t>& set, Vertex v) const;
    void close(std::vector<std::uint64_t>& set) const;
    bool is_allowed(ConstRow set) const;
    void commit(ConstRow set);

    const Node& node_;
    const Allowed& allowed_;
    Labels labels_;                         ///< by vertex: a vertex of its cluster
    Bits members_, above_, below_, apart_;  ///< by the vertex that stands for a cluster
};

/// The vertices of the original problem that those in `set` stand for, increasing.
std::vector<Vertex> all_members(const Node& node, ConstRow set);

/// Merges the members of terms, the heaviest first, as long as the result is feasible and allowed. Attempts differ in what
/// counts as heavy.
Labels merge_by_weight(const Node& node, const Relations& relations, const Allowed& allowed, const Labels& start,
                       std::uint32_t attempt = 0);

}  // namespace sinter::fuse::solve
