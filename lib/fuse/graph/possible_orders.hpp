// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The orders in which operations might be evaluated, whatever the partition (van Balen 2024, section 4.2: the values that d
/// could take).
#pragma once

#include "fuse/graph/dep_graph.hpp"

namespace sinter::fuse {

/// A set of labels; too large ones are taken to hold all.
struct LabelSet {
    std::vector<Label> labels;  ///< increasing
    bool all = false;
    bool holds(Label label) const;
};
bool meet(const LabelSet& a, const LabelSet& b);
LabelSet intersection(LabelSet a, const LabelSet& b);

/// An operation is evaluated in `order` where it shares a cluster with its leader.
struct Following {
    Operation leader;
    Label order;
};

class PossibleOrders {
  public:
    /// Linear in the graph's accesses.
    explicit PossibleOrders(const DepGraph& graph);

    /// Always evaluated at the index of the cluster's root or elements.
    bool is_rigid(Operation op) const { return !other_[op.index].all && other_[op.index].labels.empty(); }
    /// Whether the label leads from an element of some fold to its point (legality.hpp), what it reads being made here or
    /// not.
    bool may_be_row_read(const Access& access) const;
    /// The folds of a cluster in which an access is one of a row.
    std::vector<Operation> row_folds(const Access& access) const;
    /// The orders in which an operation might be evaluated.
    LabelSet of(Operation op) const;
    /// The orders in which an access might read; if its reader is evaluated in one of `reader`.
    LabelSet of(const Access& access) { return of(access, of(access.reader)); }
    LabelSet of(const Access& access, const LabelSet& reader);
    /// Their courses (label.hpp).
    LabelSet courses_of(const Access& access);
    Label course(Label order) const { return labels_.course(order); }
    /// Whether producer and reader could be evaluated in one order.
    bool can_fuse(const Access& access);
    /// Who decides on the order of `op`: it follows the last of these that is in its cluster, and if none is, it is
    /// evaluated in its own order. Nothing if that is not all.
    std::optional<std::vector<Following>> following(Operation op);
    Label compose(Label outer, Label inner) { return labels_.compose(outer, inner); }

  private:
    LabelSet wanted(Operation op);

    const DepGraph& graph_;
    LabelTable labels_;
    LabelSet rows_;                                   ///< from elements of the folds to their points
    std::vector<std::pair<Label, Operation>> folds_;  ///< with the label from their elements to their points
    std::vector<LabelSet> other_;                     ///< by operation: but for the identity
};

}  // namespace sinter::fuse
