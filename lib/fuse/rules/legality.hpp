// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides if a set of operations can be one cluster: the rules of van Balen 2024, section 3, restricted to the closed form
/// that lowering generates.
///
/// The closed form has a *root* space, whose points are independent, and at most one space of *elements* per point, which
/// are its row:
///   1. all folds reduce the same axes of spaces known to be equal, and their results are wanted at the root's own index;
///   2. what a fold needs belongs to the elements, and what is made from the result of a fold belongs to the root. A value
///      of the root may be repeated for the elements of its row, and these may be reduced again: this is one more pass over
///      the row;
///   3. every operation is evaluated at one index per point: all its readers agree on the order;
///   4. what is stored is evaluated once at every index: its order is the identity, and all stored results of the root have
///      one shape, as have those of the elements;
///   5. the operations are connected: through edges, or by reading an array in orders of one course (label.hpp);
///   6. no edge between them is infusible;
///   7. beside maps they are folds; or scans of one kind (scan_mismatch) that do not need each other's results,
///      unless they are recurrences; or one compact; or one scatter, whose destinations are read only where that is harmless
///      (overwrites.hpp);
///   8. where the target has *outer folds*, a fold may also go along other axes of the same elements, or along axes of the
///      root, which may be those of scans (outer_folds.hpp), if nothing in the cluster needs its results and all of them are
///      stored; and a scatter of the root's points whose operator has neutral elements may go beside folds.
/// The caller has to check that no other operation lies on a path between them (convexity): see ClusterSet.
#pragma once

#include "fuse/graph/dep_graph.hpp"
#include "fuse/rules/outer_folds.hpp"
#include "fuse/rules/overwrites.hpp"

namespace sinter::fuse {

/// Where an operation of a cluster is evaluated: its index as a function of the index of the root or of the reduced element.
struct Order {
    Label label = identity;
    bool element = false;
    bool operator==(const Order&) const = default;
};

struct Hindrance {
    enum class Kind : std::uint8_t {
        edge,        ///< an infusible edge between them; see obstacle
        barrier,     ///< one of them has to be a cluster of its own
        axes,        ///< they are folds or scans over different axes
        directions,  ///< they are scans from different ends of an axis
        extents,     ///< they are folds or scans over spaces not known to be equal
        patterns,    ///< one folds, the other scans, ...
        prefixes,    ///< one scan leaves elements out, has initial values or is a recurrence, the other not
        update,      ///< one reads what the other updates
        elsewhere,   ///< a fold's result is needed at another index than that of the root
        back,        ///< a fold's result is needed by elements
        orders,      ///< its readers need it at different indices
        partial,     ///< it is stored, but evaluated only where a reader looks
        shapes,      ///< their stored results have different shapes
        unrelated,   ///< they are not connected
        path,        ///< an operation between them cannot be fused (found by ClusterSet)
    } kind;
    Operation first, second;  ///< the operations that it is about; the second may be invalid
    Obstacle obstacle = Obstacle::none;
};
/// The hindrance in words for users.
std::string describe(const DepGraph& graph, const Hindrance& hindrance);

/// Answers questions about legality, in time linear in the operations' accesses (times a logarithm). It keeps its tables, so
/// it should be reused.
class Legality {
  public:
    /// `outer_folds`: whether the target has them.
    explicit Legality(const DepGraph& graph, bool outer_folds = false);

    /// Why `operations` (increasing, live) cannot be one cluster; nothing if they can. `connected`: rule (5) is known to
    /// hold.
    std::optional<Hindrance> hindrance(std::span<const Operation> operations, bool connected = false);

    /// Where an operation is evaluated. Valid after hindrance() found none.
    const Order& order(Operation op) const { return orders_[op.index]; }
    Order read_order(const Access& access) { return read_order(orders_[access.reader.index], access); }
    /// The order of a read whose reader is evaluated at `reader`.
    Order read_order(const Order& reader, const Access& access);
    /// The course of an order: reads in orders of one course bring an array into the caches once.
    Label course(const Order& order) const { return labels_.course(order.label); }
    bool gathers(const Order& order) const { return labels_.gathers(order.label); }
    std::int64_t stride(const Order& order, std::size_t rank) const { return labels_.stride(order.label, rank); }

    bool is_member(Operation op) const { return member_[op.index] == stamp_; }
    /// After hindrance(), whatever it found.
    bool is_outer_fold(Operation op) const { return outer_[op.index] == stamp_; }
    /// True if the scatter may overwrite its destinations although they are read in the cluster; otherwise it needs a copy
    /// of them.
    bool updates_in_place(Operation scatter);

  private:
    using Result = std::optional<Hindrance>;
    void find_folds();
    void find_outer(const Passes& passes, Operation fold);
    bool is_of_points(Operation fold) const { return !fold_.valid() || graph_.space(fold) != graph_.space(fold_); }
    Result check_outer_folds();
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
    bool is_stored(Operation op, std::size_t result) const;

    const DepGraph& graph_;
    const bool outer_folds_;
    Overwrites overwrites_;
    LabelTable labels_;  ///< the graph's labels and compositions of them
    std::span<const Operation> operations_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> member_;  ///< by operation: the last question that it was part of
    std::vector<std::uint32_t> outer_;   ///< by operation: the last question in which it was an outer fold
    std::vector<Order> orders_;          ///< by operation
    std::vector<bool> after_scan_;       ///< by operation: it is a scan of the set, or needs one
    Operation fold_;                     ///< any fold of the set but the outer ones
    std::optional<Label> row_;           ///< from an element to its point of the root
    Operation scatter_;                  ///< the scatter of the set
    Operation beside_;                   ///< the same if it goes beside folds
    Operation scan_;                     ///< one of the scans beside which folds accumulate
    Operation root_, element_;           ///< any operation stored from the root; any stored from the elements
};

/// Nothing if two folds reduce the same axes of spaces known to be equal; otherwise the kind of hindrance.
std::optional<Hindrance::Kind> fold_mismatch(const DepGraph& graph, Operation a, Operation b);
/// The label that leads from an element of a fold to the point it is folded for; nothing if the fold reduces all axes.
std::optional<Label> row_label(const DepGraph& graph, Operation fold, LabelTable& labels);
/// Nothing if two scans go in one direction along one axis of spaces known to be equal, both with or both without initial
/// values, both inclusive or both exclusive, and both or neither recurrences; otherwise the kind of hindrance.
std::optional<Hindrance::Kind> scan_mismatch(const DepGraph& graph, Operation a, Operation b);

}  // namespace sinter::fuse
