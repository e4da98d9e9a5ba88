// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All readers of an operation come after it, so one sweep from the last operation to the first sees every kernel that could
// take it. Contracting a producer into the only kernel that reads it cannot close a cycle, whatever else is in the graph.
//
// Differences from Henriksen and Oancea 2013: condition 3 is the closed form of legality.hpp instead of a table of
// combinator pairs, and a producer that one kernel reads several times is fused if all reads are in one order. Operations
// that make results of the body cannot be fused here (case 5); the second step, diagonal and horizontal merging, takes care
// of them.
#include "fuse/strategy/t2.hpp"

#include "fuse/strategy/merging.hpp"
#include "fuse/strategy/strategies.hpp"

#include <algorithm>

namespace sinter::fuse {

T2Reduction::T2Reduction(const DepGraph& graph, Legality& legality)
    : graph_(graph),
      legality_(legality),
      kernel_of_(graph.roles.size(), no_kernel),
      read_by_(graph.roles.size(), no_kernel),
      unfusable_(graph.roles.size(), false),
      orders_(graph.roles.size()) {
    for (Operation op : graph.vertices) unfusable_[op.index] = graph.any_stored(op);
}

/// The order in which all readers want `op`; nothing if they differ or if an edge is infusible.
std::optional<Order> T2Reduction::common_order(Operation op) {
    std::optional<Order> common;
    for (std::uint32_t use : graph_.uses[op.index]) {
        const Access& access = graph_.accesses[use];
        if (access.obstacle != Obstacle::none) return std::nullopt;
        Order order = legality_.read_order(orders_[access.reader.index], access);
        if (common && order != *common) return std::nullopt;
        common = order;
    }
    return common;
}

bool T2Reduction::fits(Operation op, const Kernel& kernel) {
    auto order = common_order(op);
    if (!order) return false;
    if (!graph_.fold(op)) return true;
    if (*order != Order()) return false;
    return !kernel.fold.valid() || !fold_mismatch(graph_, kernel.fold, op);
}

T2Conditions T2Reduction::conditions(Operation op) {
    std::size_t k = read_by_[op.index];
    T2Conditions result{!unfusable_[op.index], k != no_kernel, false, true};
    if (k == no_kernel) return result;
    const Kernel& kernel = kernels_[k];
    result.compatible = fits(op, kernel);
    for (const Access& access : graph_.reads(op))
        result.before_updates &= std::count(kernel.inplace.begin(), kernel.inplace.end(), access.variable) == 0;
    return result;
}

void T2Reduction::visit(Operation op) {
    if (conditions(op).all() && is_legal(op, kernels_[read_by_[op.index]])) {
        add(op, read_by_[op.index], *common_order(op));
    } else {
        kernels_.emplace_back();
        add(op, kernels_.size() - 1, Order());
    }
}

/// The conditions cover maps and folds; other operations are checked in full.
bool T2Reduction::is_legal(Operation op, const Kernel& kernel) {
    if (is_map_or_fold(op) && kernel.maps_and_folds) return true;
    Operations all(kernel.operations.rbegin(), kernel.operations.rend());
    all.insert(all.begin(), op);
    return !legality_.hindrance(all);
}

void T2Reduction::add(Operation op, std::size_t k, const Order& order) {
    Kernel& kernel = kernels_[k];
    kernel.operations.push_back(op);
    kernel.maps_and_folds = kernel.maps_and_folds && is_map_or_fold(op);
    kernel_of_[op.index] = k;
    orders_[op.index] = order;
    if (graph_.fold(op)) kernel.fold = op;
    if (const ir::Scatter* scatter = graph_.scatter(op))
        for (ir::ValueId dest : scatter->dests) update(dest);
    for (const Access& access : graph_.reads(op)) {
        if (!access.producer.valid()) continue;
        std::size_t& reader = read_by_[access.producer.index];
        if (reader != no_kernel && reader != k) unfusable_[access.producer.index] = true;
        reader = k;
    }
}

void T2Reduction::update(ir::ValueId variable) {
    for (Kernel& kernel : kernels_) kernel.inplace.push_back(variable);
}

Clusters T2Reduction::take() {
    Clusters clusters;
    for (Kernel& kernel : kernels_) {
        std::reverse(kernel.operations.begin(), kernel.operations.end());
        clusters.push_back(std::move(kernel.operations));
    }
    return clusters;
}

Clusters t2(const DepGraph& graph, std::size_t most_examined) {
    Legality legality(graph);
    T2Reduction reduction(graph, legality);
    for (auto op = graph.vertices.rbegin(); op != graph.vertices.rend(); ++op) reduction.visit(*op);
    ClusterSet clusters(graph, legality, reduction.take());
    bool changed = true;
    auto has_time = [&] { return clusters.examined() < most_examined; };
    while (changed && has_time()) {
        changed = false;
        for (auto op = graph.vertices.rbegin(); op != graph.vertices.rend() && has_time(); ++op)
            for (std::uint32_t use : graph.uses[op->index]) changed |= fuse_edge(graph, clusters, graph.accesses[use]);
        if (has_time()) changed |= fuse_horizontally(graph, clusters);
    }
    return clusters.take();
}

}  // namespace sinter::fuse
