// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The orders in which operations might be evaluated, whatever the partition (van Balen 2024, section 4.2: the values that d
/// could take).
#pragma once

#include "fuse/graph/dep_graph.hpp"

namespace sinter::fuse {

/// A set of labels; a set that grows too large is taken to hold all.
struct LabelSet {
    std::vector<Label> labels;  ///< increasing
    bool all = false;
    bool holds(Label label) const;
};
bool meet(const LabelSet& a, const LabelSet& b);
LabelSet intersection(LabelSet a, const LabelSet& b);

/// An operation is evaluated in `order` if it shares a cluster with its leader.
struct Following {
    Operation leader;
    Label order;
};

class PossibleOrders {
  public:
    /// Linear in the accesses of the graph.
    explicit PossibleOrders(const DepGraph& graph);

    /// True if the operation is always evaluated at the index of the cluster's root or elements.
    bool is_rigid(Operation op) const { return !other_[op.index].all && other_[op.index].labels.empty(); }
    /// True if the label leads from an element of some fold to its point (legality.hpp), no matter whether what it reads is
    /// made in the body.
    bool may_be_row_read(const Access& access) const;
    /// The folds of a cluster for which an access reads the value of a row.
    std::vector<Operation> row_folds(const Access& access) const;
    /// The orders in which an operation might be evaluated.
    LabelSet of(Operation op) const;
    /// The orders in which an access might read, given those in which its reader might be evaluated.
    LabelSet of(const Access& access) { return of(access, of(access.reader)); }
    LabelSet of(const Access& access, const LabelSet& reader);
    /// The courses (label.hpp) of these orders.
    LabelSet courses_of(const Access& access);
    Label course(Label order) const { return labels_.course(order); }
    /// True if producer and reader could be evaluated in one order.
    bool can_fuse(const Access& access);
    /// The operations that decide the order of `op`: it follows the last of these that is in its cluster, and is evaluated
    /// in its own order if none is. Nothing if its order depends on anything else.
    std::optional<std::vector<Following>> following(Operation op);
    Label compose(Label outer, Label inner) { return labels_.compose(outer, inner); }

  private:
    LabelSet wanted(Operation op);

    const DepGraph& graph_;
    LabelTable labels_;
    LabelSet rows_;                                   ///< from elements of the folds to their points
    std::vector<std::pair<Label, Operation>> folds_;  ///< each with the label from its elements to its points
    std::vector<LabelSet> other_;                     ///< by operation: the orders other than the identity
};

}  // namespace sinter::fuse
