// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/rules/outer_folds.hpp"

#include "ir/constant.hpp"
#include "ir/neutral.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

using Axes = std::vector<std::size_t>;

bool is_innermost(const DepGraph& graph, Operation fold) {
    return graph.fold(fold)->axes.back() + 1 == graph.space(fold).size();
}

/// Whether `a` goes along rows where `b` does not.
bool is_inside(const DepGraph& graph, Operation a, Operation b) {
    const std::size_t ranks[] = {graph.space(a).size(), graph.space(b).size()};
    if (ranks[0] != ranks[1]) return ranks[0] > ranks[1];
    return is_innermost(graph, a) && !is_innermost(graph, b);
}

bool meet(const Axes& a, const Axes& b) {
    return std::any_of(a.begin(), a.end(), [&](std::size_t axis) { return std::binary_search(b.begin(), b.end(), axis); });
}

bool begins_with_constants(const DepGraph& graph, const ir::Fold& fold) {
    return std::all_of(fold.inits.begin(), fold.inits.end(),
                       [&](ir::ValueId init) { return ir::constant_of(*graph.body, init, graph.base).has_value(); });
}

bool stands_alone(const ir::Captures& captures) { return captures.scalars.empty() && captures.arrays.empty(); }

/// Whether copies of what a scatter updates can be combined with it.
bool accumulates(const ir::Scatter& scatter) {
    return scatter.op && stands_alone(scatter.captures) &&
           ir::neutral_elements(scatter.op->body, scatter.values.size()).has_value();
}

/// The fold that goes along rows if others go along other axes; invalid if there is no fold.
Operation fold_of_rows(const DepGraph& graph, std::span<const Operation> operations) {
    Operation rows;
    for (Operation op : operations)
        if (graph.fold(op) && (!rows.valid() || is_inside(graph, op, rows))) rows = op;
    return rows;
}

}  // namespace

Passes passes_of(const DepGraph& graph, std::span<const Operation> operations) {
    const auto scan = std::find_if(operations.begin(), operations.end(), [&](Operation op) { return graph.scan(op); });
    if (scan != operations.end()) return {{}, {}, *scan};
    Passes passes{fold_of_rows(graph, operations), {}, {}};
    if (!passes.rows.valid()) return passes;
    for (Operation op : operations)
        if (const ir::Scatter* scatter = graph.scatter(op); scatter && accumulates(*scatter)) passes.scatter = op;
    if (!passes.scatter.valid()) return passes;
    const ir::Shape& points = graph.points(passes.scatter);
    if (points == graph.space(passes.rows))
        passes.rows = {};
    else if (points != graph.points(passes.rows))
        passes.scatter = {};
    return passes;
}

bool may_be_outer(const DepGraph& graph, const Passes& passes, Operation fold) {
    const ir::Fold& outer = *graph.fold(fold);
    const bool of_elements = passes.rows.valid() && graph.space(fold) == graph.space(passes.rows) &&
                             !meet(outer.axes, graph.fold(passes.rows)->axes);
    const bool along_scan =
        !passes.scan.valid() || std::binary_search(outer.axes.begin(), outer.axes.end(), graph.scan(passes.scan)->axis);
    const bool of_points = along_scan && graph.space(fold) == passes.points(graph);
    return (of_elements || of_points) && stands_alone(outer.captures) &&
           ir::neutral_elements(outer.op.body, outer.args.size()) && begins_with_constants(graph, outer);
}

}  // namespace sinter::fuse
