// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether a set of operations can be one cluster: fusion.md section 2 restricted to the closed form that lowering
/// generates.
///
/// The closed form has a *root* space, whose points are independent, and at most one space of *elements* per point, its row:
///   1. all folds reduce the same axes of spaces known to be equal, and their results are wanted at the root's own index;
///   2. what a fold needs belongs to the elements, what is made of the result of a fold to the root. A value of the root
///      may be repeated for the elements of its row, and these be reduced again: one pass more over the row;
///   3. every operation is evaluated at one index a point: all its readers agree on the order;
///   4. what is stored is evaluated once at every index: its order is the identity, and the stored results of the root (and
///      of the elements) have one shape;
///   5. the operations are connected: through edges, or by reading an array in orders of one course (label.hpp);
///   6. no edge among them is infusible;
///   7. beside maps they are folds, or scans alike (scan_mismatch) that do not need each other's results, or one compact, or
///      one scatter, whose destinations are read only where that is harmless (overwrites.hpp).
/// Whether other operations lie on a path between them (convexity) is the caller's business: see ClusterSet.
#pragma once

#include "fuse/graph/dep_graph.hpp"
#include "fuse/rules/overwrites.hpp"

namespace sinter::fuse {

/// Where an operation of a cluster is evaluated: its index as a function of the root's, or of the reduced element's.
struct Order {
    Label label = identity;
    bool element = false;
    bool operator==(const Order&) const = default;
};

struct Hindrance {
    enum class Kind : std::uint8_t {
        edge,       ///< infusible; see obstacle
        barrier,    ///< one of them is a cluster of its own
        axes,       ///< folds or scans over different axes
        extents,    ///< of spaces not known to be equal
        patterns,   ///< one folds, the other scans, ...
        prefixes,   ///< one scan leaves elements out, has initial values or is a recurrence, the other not
        update,     ///< one reads what the other updates
        elsewhere,  ///< a fold's result is needed at another index than the root's
        back,       ///< a fold's result is needed by elements
        orders,     ///< readers need it at different indices
        partial,    ///< stored, but only evaluated where a reader looks
        shapes,     ///< stored results of different shapes
        unrelated,  ///< not connected
        path,       ///< an operation between them cannot be fused (found by ClusterSet)
    } kind;
    Operation first, second;  ///< the operations it is about; the second may be invalid
    Obstacle obstacle = Obstacle::none;
};
/// In words for users.
std::string describe(const DepGraph& graph, const Hindrance& hindrance);

/// Linear in the operations' accesses (times a logarithm). Reused between questions: it keeps its tables.
class Legality {
  public:
    explicit Legality(const DepGraph& graph);

    /// Why `operations` (increasing, live) cannot be one cluster; nothing if they can. `connected`: known to be (5).
    std::optional<Hindrance> hindrance(std::span<const Operation> operations, bool connected = false);

    /// After hindrance() found none: where an operation is evaluated, and in which order it reads.
    const Order& order(Operation op) const { return orders_[op.index]; }
    Order read_order(const Access& access) { return read_order(orders_[access.reader.index], access); }
    /// The order of a read whose reader is evaluated at `reader`.
    Order read_order(const Order& reader, const Access& access);
    /// Reads in orders of one course bring an array into the caches once.
    Label course(const Order& order) const { return labels_.course(order.label); }
    bool gathers(const Order& order) const { return labels_.gathers(order.label); }
    std::int64_t stride(const Order& order, std::size_t rank) const { return labels_.stride(order.label, rank); }

    bool is_member(Operation op) const { return member_[op.index] == stamp_; }
    /// Whether the scatter may overwrite its destinations although they are read here: else it needs a copy of them.
    bool updates_in_place(Operation scatter);

  private:
    using Result = std::optional<Hindrance>;
    void find_fold();
    Result check_edges();
    bool is_row_read(const Access& access) const { return row_ && access.label == *row_; }
    Result check_folds();
    Result check_patterns();
    Result check_update();
    bool is_harmless(const Access& access, Operation scatter);
    Result place(Operation op);
    Result root_of(Operation op, const Order& order);
    Result check_connected();
    bool is_manifest(Operation op) const;

    const DepGraph& graph_;
    Overwrites overwrites_;
    LabelTable labels_;  ///< the graph's and compositions of them
    std::span<const Operation> operations_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> member_;  ///< by operation: the question it was last part of
    std::vector<Order> orders_;          ///< by operation
    std::vector<bool> after_scan_;       ///< by operation: a scan of the set, or needs one
    Operation fold_;                     ///< any fold of the set
    std::optional<Label> row_;           ///< from an element to its point of the root
    Operation scatter_;                  ///< the one of the set
    Operation root_, element_;           ///< any operation stored from the root, from the elements
};

/// Whether two folds reduce the same axes of spaces known to be equal: nothing, or the kind of hindrance.
std::optional<Hindrance::Kind> fold_mismatch(const DepGraph& graph, Operation a, Operation b);
/// The label that leads from an element of a fold to the point it is folded for, if the fold leaves any axes.
std::optional<Label> row_label(const DepGraph& graph, Operation fold, LabelTable& labels);
/// Whether two scans go in one direction along one axis of spaces known to be equal, both with initial values or both
/// without, both inclusive or both exclusive, both recurrences or neither.
std::optional<Hindrance::Kind> scan_mismatch(const DepGraph& graph, Operation a, Operation b);

}  // namespace sinter::fuse
