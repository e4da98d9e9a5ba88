// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders are found from the readers to what they read (van Balen 2024, section 3.3). Operations without a reader in the
// cluster start at the identity, in the space that their shape says.
#include "fuse/rules/legality.hpp"

#include "ir/text/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace sinter::fuse {

using Kind = Hindrance::Kind;

std::optional<Kind> fold_mismatch(const DepGraph& graph, Operation a, Operation b) {
    if (graph.fold(a)->axes != graph.fold(b)->axes) return Kind::axes;
    if (graph.space(a) != graph.space(b)) return Kind::extents;
    return std::nullopt;
}

std::optional<Kind> scan_mismatch(const DepGraph& graph, Operation a, Operation b) {
    const ir::Scan &x = *graph.scan(a), &y = *graph.scan(b);
    if (x.axis != y.axis) return Kind::axes;
    if (x.reverse != y.reverse) return Kind::directions;
    if (graph.points(a) != graph.points(b)) return Kind::extents;
    if (!are_alike(x, y)) return Kind::prefixes;
    return std::nullopt;
}

std::optional<Label> row_label(const DepGraph& graph, Operation op, LabelTable& labels) {
    const ir::Fold* fold = graph.fold(op);
    if (!fold) return std::nullopt;
    ir::Broadcast rows;
    for (std::size_t axis = 0; axis < graph.space(op).size(); ++axis)
        if (!std::binary_search(fold->axes.begin(), fold->axes.end(), axis)) rows.axes.push_back(axis);
    return rows.axes.empty() ? std::nullopt : std::optional(labels.broadcast(rows));
}

Legality::Legality(const DepGraph& graph, bool outer_folds)
    : graph_(graph),
      outer_folds_(outer_folds),
      overwrites_(graph),
      labels_(graph.labels),
      stamp_(1),
      member_(graph.roles.size(), 0),
      outer_(graph.roles.size(), 0),
      orders_(graph.roles.size()),
      after_scan_(graph.roles.size(), false) {}

std::optional<Hindrance> Legality::hindrance(std::span<const Operation> operations, bool connected) {
    operations_ = operations;
    ++stamp_;
    for (Operation op : operations) member_[op.index] = stamp_;
    root_ = element_ = scatter_ = beside_ = scan_ = Operation();
    find_folds();
    if (auto h = check_edges()) {
        // asks for whose rows the value is repeated
        auto folds = h->obstacle == Obstacle::repetition ? check_folds() : std::nullopt;
        return folds ? folds : h;
    }
    if (auto h = check_patterns()) return h;
    if (auto h = check_folds()) return h;
    if (auto h = check_outer_folds()) return h;
    for (auto op = operations_.rbegin(); op != operations_.rend(); ++op)
        if (auto h = place(*op)) return h;
    if (auto h = check_update()) return h;
    return connected ? std::nullopt : check_connected();
}

Order Legality::read_order(const Order& reader, const Access& access) {
    if (access.label == scalar_read) return {scalar_read, false};
    if (access.reduced && is_outer_fold(access.reader) && is_of_points(access.reader)) return {access.label, false};
    const bool of_element = access.reduced || (reader.element && reader.label == identity);
    if (of_element && is_row_read(access)) return {};
    if (access.reduced) return {access.label, true};
    return {labels_.compose(reader.label, access.label), reader.element};
}

void Legality::find_folds() {
    if (outer_folds_) {
        const Passes passes = passes_of(graph_, operations_);
        fold_ = passes.rows;
        beside_ = passes.scatter;
        scan_ = passes.scan;
        for (Operation op : operations_)
            if (graph_.fold(op)) find_outer(passes, op);
    } else {
        auto found =
            std::find_if(operations_.begin(), operations_.end(), [&](Operation op) { return graph_.fold(op) != nullptr; });
        fold_ = found == operations_.end() ? Operation() : *found;
    }
    row_ = fold_.valid() ? row_label(graph_, fold_, labels_) : std::nullopt;
}

void Legality::find_outer(const Passes& passes, Operation fold) {
    if (passes.rows.valid() && !fold_mismatch(graph_, passes.rows, fold)) return;
    if (may_be_outer(graph_, passes, fold))
        outer_[fold.index] = stamp_;
    else if (!passes.rows.valid())
        fold_ = fold, beside_ = Operation();
}

Legality::Result Legality::check_edges() {
    if (operations_.size() == 1) return std::nullopt;
    for (Operation op : operations_) {
        if (graph_.roles[op.index] == Role::barrier) return Hindrance{Kind::barrier, op, {}};
        for (const Access& access : graph_.reads(op)) {
            if (access.obstacle == Obstacle::none || !is_member(access.producer)) continue;
            if (access.obstacle == Obstacle::repetition && is_row_read(access)) continue;
            return Hindrance{Kind::edge, access.producer, op, access.obstacle};
        }
    }
    return std::nullopt;
}

/// Checks for one pattern beside maps; scans have to be of one kind and must not depend on each other, unless they are
/// recurrences, which go step by step together.
Legality::Result Legality::check_patterns() {
    Operation first;
    for (Operation op : operations_) {
        bool after = false;
        for (const Access& access : graph_.reads(op))
            after = after || (access.producer.valid() && is_member(access.producer) && after_scan_[access.producer.index]);
        const ir::Scan* scan = graph_.scan(op);
        if (scan && after && !scan->sequential) return Hindrance{Kind::back, first, op};
        after_scan_[op.index] = after || scan;
        Pattern pattern = graph_.pattern(op);
        if (pattern == Pattern::map) continue;
        if (pattern == Pattern::scatter) scatter_ = op;
        if (op == beside_ || (scan_.valid() && is_outer_fold(op))) continue;
        if (!first.valid()) {
            first = op;
            continue;
        }
        if (pattern != graph_.pattern(first) || pattern == Pattern::compact || pattern == Pattern::scatter)
            return Hindrance{Kind::patterns, first, op};
        if (!scan) continue;
        if (auto kind = scan_mismatch(graph_, first, op)) return Hindrance{*kind, first, op};
    }
    return std::nullopt;
}

/// Checks that what the scatter overwrites is read in the cluster by the scatter itself only, or harmlessly.
Legality::Result Legality::check_update() {
    if (!scatter_.valid()) return std::nullopt;
    for (Operation op : operations_)
        for (const Access& access : graph_.reads(op))
            if (op != scatter_ && !is_harmless(access, scatter_)) return Hindrance{Kind::update, scatter_, op};
    return std::nullopt;
}

bool Legality::is_harmless(const Access& access, Operation scatter) {
    const std::vector<ir::ValueId>& dests = graph_.scatter(scatter)->dests;
    if (access.updated || std::find(dests.begin(), dests.end(), access.variable) == dests.end()) return true;
    return overwrites_.may_read(access, scatter, labels_, access.whole ? identity : read_order(access).label);
}

bool Legality::updates_in_place(Operation scatter) {
    return std::all_of(operations_.begin(), operations_.end(), [&](Operation op) {
        const auto reads = graph_.reads(op);
        return std::all_of(reads.begin(), reads.end(), [&](const Access& access) { return is_harmless(access, scatter); });
    });
}

Legality::Result Legality::check_folds() {
    for (Operation op : operations_)
        if (graph_.fold(op) && op != fold_ && !is_outer_fold(op))
            if (auto kind = fold_mismatch(graph_, fold_, op)) return Hindrance{*kind, fold_, op};
    return std::nullopt;
}

/// What an outer fold makes is complete behind the last point only.
Legality::Result Legality::check_outer_folds() {
    for (Operation op : operations_) {
        if (!is_outer_fold(op)) continue;
        for (std::uint32_t use : graph_.uses[op.index])
            if (is_member(graph_.accesses[use].reader)) return Hindrance{Kind::back, op, graph_.accesses[use].reader};
        const Operation other = fold_.valid() ? fold_ : beside_.valid() ? beside_ : scan_;
        for (std::size_t k = 0; k < graph_.result_count(op); ++k)
            if (!is_stored(op, k)) return Hindrance{Kind::axes, other, op};
    }
    return std::nullopt;
}

/// Decides where an operation is evaluated, once all its readers in the cluster are placed.
Legality::Result Legality::place(Operation op) {
    if (is_outer_fold(op)) {
        orders_[op.index] = {};
        return std::nullopt;
    }
    std::optional<Order> order;
    Operation by;
    for (std::uint32_t use : graph_.uses[op.index]) {
        const Access& access = graph_.accesses[use];
        if (!is_member(access.reader)) continue;
        Order wanted = read_order(access);
        if (order && wanted != *order) return Hindrance{Kind::orders, op, access.reader};
        order = wanted;
        by = access.reader;
    }
    if (order && order->element && graph_.fold(op)) return Hindrance{Kind::back, op, by};
    Order root;
    if (!order || is_manifest(op)) {
        if (order && order->label != identity) return Hindrance{Kind::partial, op, by};
        if (order)
            root = *order;
        else
            root.element = fold_.valid() && !graph_.fold(op) && graph_.points(op) == graph_.space(fold_);
        if (auto h = root_of(op, root)) return h;
    }
    orders_[op.index] = order.value_or(root);
    bool in_order = graph_.pattern(op) != Pattern::map;
    if (in_order && order && order->label != identity) return Hindrance{Kind::elsewhere, op, by};
    return std::nullopt;
}

/// Notes that the results of `op` are stored from the root or from the elements.
Legality::Result Legality::root_of(Operation op, const Order& order) {
    Operation& other = order.element ? element_ : root_;
    if (other.valid() && graph_.points(other) != graph_.points(op)) return Hindrance{Kind::shapes, op, other};
    other = op;
    return std::nullopt;
}

bool Legality::is_manifest(Operation op) const {
    if (graph_.any_stored(op)) return true;
    return std::any_of(graph_.uses[op.index].begin(), graph_.uses[op.index].end(),
                       [&](std::uint32_t use) { return !is_member(graph_.accesses[use].reader); });
}

bool Legality::is_stored(Operation op, std::size_t result) const {
    const ir::ValueId id = graph_.result(op, result);
    return graph_.stored[id.index] ||
           std::any_of(graph_.uses[op.index].begin(), graph_.uses[op.index].end(), [&](std::uint32_t use) {
               return graph_.accesses[use].variable == id && !is_member(graph_.accesses[use].reader);
           });
}

Legality::Result Legality::check_connected() {
    std::size_t n = operations_.size();
    if (n == 1) return std::nullopt;
    std::vector<std::size_t> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    auto find = [&](std::size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    auto position = [&](Operation op) {
        return static_cast<std::size_t>(std::lower_bound(operations_.begin(), operations_.end(), op) - operations_.begin());
    };
    using Read = std::tuple<ir::ValueId, Label, bool, std::size_t>;
    std::vector<Read> reads;
    for (std::size_t i = 0; i < n; ++i) {
        for (const Access& access : graph_.reads(operations_[i])) {
            if (access.producer.valid() && is_member(access.producer)) parent[find(i)] = find(position(access.producer));
            if (access.whole || access.label == scalar_read) continue;
            Order order = read_order(access);
            reads.emplace_back(access.variable, course(order), order.element, i);
        }
    }
    std::sort(reads.begin(), reads.end());
    auto same = [](const Read& a, const Read& b) {
        return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) ==
               std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
    };
    for (std::size_t k = 1; k < reads.size(); ++k)
        if (same(reads[k - 1], reads[k])) parent[find(std::get<3>(reads[k]))] = find(std::get<3>(reads[k - 1]));
    for (std::size_t i = 1; i < n; ++i)
        if (find(i) != find(0)) return Hindrance{Kind::unrelated, operations_[0], operations_[i]};
    return std::nullopt;
}

namespace {

/// Why arrays of these shapes are not traversed together.
std::string difference(const DepGraph& graph, const ir::Shape& a, const ir::Shape& b) {
    const ir::SizeTable& sizes = graph.program->sizes;
    auto text = [&](const ir::Shape& shape) {
        std::vector<std::string> extents;
        for (ir::SizeId size : shape) extents.push_back(ir::print(sizes, size));
        return fmt::format("[{}]", fmt::join(extents, ", "));
    };
    auto differ = [&](ir::SizeId x, ir::SizeId y) {
        const bool are_constant = sizes[x].kind == ir::Size::Kind::constant && sizes[y].kind == ir::Size::Kind::constant;
        return x != y && are_constant;
    };
    const bool are_different = a.size() != b.size() || !std::equal(a.begin(), a.end(), b.begin(), std::not_fn(differ));
    return fmt::format("of the {} {} and {}{}", are_different ? "different shapes" : "shapes", text(a), text(b),
                       are_different ? "" : ", which are not known to be equal in every call");
}

}  // namespace

std::string describe(const DepGraph& graph, const Hindrance& h) {
    std::string first = graph.name(h.first);
    std::string second = h.second.valid() ? graph.name(h.second) : "";
    switch (h.kind) {
        case Kind::edge:
            return fmt::format("{}, read by {}: {}", first, second, describe(h.obstacle));
        case Kind::barrier:
            return fmt::format("{} runs as a step of its own", first);
        case Kind::axes:
            return fmt::format("{} and {} go along different axes", first, second);
        case Kind::directions:
            return fmt::format("{} and {} go in different directions", first, second);
        case Kind::extents:
            return fmt::format("{} and {} go over arrays {}", first, second,
                               difference(graph, graph.space(h.first), graph.space(h.second)));
        case Kind::patterns:
            return fmt::format("{} and {} are loops of different kinds", first, second);
        case Kind::prefixes:
            return fmt::format("{} and {} differ in being exclusive, in having an initial value or in being recurrences",
                               first, second);
        case Kind::update:
            return fmt::format("{} updates in place what {} reads", first, second);
        case Kind::elsewhere:
            return fmt::format(
                "{} needs results of {} at other indices than its own: a reduction is not fused into such a read", second,
                first);
        case Kind::back:
            return fmt::format(
                "{} is complete only after the pass over the elements that {} is part of: "
                "one cluster makes one pass over a row",
                first, second);
        case Kind::orders:
            return fmt::format(
                "{} is needed at more than one index for each point, at one of them by {}: fused, it would be computed for "
                "each of them",
                first, second);
        case Kind::partial:
            return fmt::format(
                "{} is also needed in memory, but {} visits its elements in an order that need not reach all "
                "of them once",
                first, second);
        case Kind::shapes:
            return fmt::format("{} and {} both store arrays, {}", first, second,
                               difference(graph, graph.points(h.first), graph.points(h.second)));
        case Kind::unrelated:
            return fmt::format("{} and {} have no array in common", first, second);
        case Kind::path:
            return fmt::format("another operation must run after {} and before {}", first, second);
    }
    return "";
}

}  // namespace sinter::fuse
