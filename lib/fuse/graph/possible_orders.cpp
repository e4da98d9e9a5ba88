// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Goes from the readers to what they read. An operation is evaluated in another order than its own only if all its readers
// are in its cluster and want it in that order; otherwise some element would be computed twice, or never.
#include "fuse/graph/possible_orders.hpp"

#include "fuse/rules/legality.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

void add(LabelSet& set, Label label) {
    auto at = std::lower_bound(set.labels.begin(), set.labels.end(), label);
    if (at == set.labels.end() || *at != label) set.labels.insert(at, label);
    if (set.labels.size() > tuning::most_labels) set = {{}, true};
}

}  // namespace

LabelSet intersection(LabelSet a, const LabelSet& b) {
    if (a.all) return b;
    std::erase_if(a.labels, [&](Label label) { return !b.holds(label); });
    return a;
}

bool LabelSet::holds(Label label) const { return all || std::binary_search(labels.begin(), labels.end(), label); }

bool meet(const LabelSet& a, const LabelSet& b) {
    if (a.all || b.all) return true;
    return std::any_of(a.labels.begin(), a.labels.end(), [&](Label label) { return b.holds(label); });
}

PossibleOrders::PossibleOrders(const DepGraph& graph) : graph_(graph), labels_(graph.labels), other_(graph.roles.size()) {
    for (Operation op : graph.vertices)
        if (auto row = row_label(graph, op, labels_)) add(rows_, *row), folds_.emplace_back(*row, op);
    for (auto op = graph.vertices.rbegin(); op != graph.vertices.rend(); ++op) {
        if (graph.pattern(*op) != Pattern::map || graph.any_stored(*op) || graph.roles[op->index] != Role::compute) continue;
        LabelSet set = wanted(*op);
        std::erase(set.labels, identity);
        other_[op->index] = std::move(set);
    }
}

/// The orders in which all readers might want `op`. If it is the value of a row, it is wanted at the row's point.
LabelSet PossibleOrders::wanted(Operation op) {
    LabelSet set{{}, true};
    for (std::uint32_t use : graph_.uses[op.index]) {
        const Access& access = graph_.accesses[use];
        const bool repeats = access.obstacle == Obstacle::repetition;
        set = intersection(std::move(set), repeats ? LabelSet{{identity}, false} : of(access));
    }
    return graph_.uses[op.index].empty() ? LabelSet() : set;
}

LabelSet PossibleOrders::of(Operation op) const {
    LabelSet set = other_[op.index];
    if (!set.all) add(set, identity);
    return set;
}

bool PossibleOrders::may_be_row_read(const Access& access) const {
    const bool fusible = access.obstacle == Obstacle::none || access.obstacle == Obstacle::repetition;
    return fusible && !access.whole && access.label != scalar_read && rows_.holds(access.label);
}

std::vector<Operation> PossibleOrders::row_folds(const Access& access) const {
    std::vector<Operation> result;
    for (auto [label, fold] : folds_)
        if (label == access.label) result.push_back(fold);
    return result;
}

LabelSet PossibleOrders::of(const Access& access, const LabelSet& reader) {
    LabelSet result;
    if (may_be_row_read(access)) add(result, identity);
    if (access.reduced) return add(result, access.label), result;
    if (reader.all) return reader;
    for (Label label : reader.labels)
        if (!result.all) add(result, labels_.compose(label, access.label));
    return result;
}

LabelSet PossibleOrders::courses_of(const Access& access) {
    const LabelSet orders = of(access);
    LabelSet result{{}, orders.all};
    for (Label order : orders.labels) add(result, course(order));
    return result;
}

bool PossibleOrders::can_fuse(const Access& access) {
    if (access.obstacle == Obstacle::repetition) return may_be_row_read(access);
    return access.obstacle == Obstacle::none && meet(of(access), of(access.producer));
}

std::optional<std::vector<Following>> PossibleOrders::following(Operation op) {
    std::vector<Following> result;
    Label order = identity;  // order of `op` where the reader that looks through all others so far is at its own index
    for (Operation at = op; !is_rigid(at);) {
        const auto& uses = graph_.uses[at.index];
        auto is_row_read = [&](std::uint32_t use) { return may_be_row_read(graph_.accesses[use]); };
        if (result.size() == tuning::most_labels || std::any_of(uses.begin(), uses.end(), is_row_read)) return std::nullopt;
        auto decides = [&](std::uint32_t use) { return is_rigid(graph_.accesses[use].reader); };
        const auto rigid = std::find_if(uses.begin(), uses.end(), decides);
        const Access& access = graph_.accesses[rigid == uses.end() ? uses[0] : *rigid];
        order = labels_.compose(access.label, order);
        result.push_back({access.reader, order});
        at = access.reader;
    }
    return result;
}

}  // namespace sinter::fuse
