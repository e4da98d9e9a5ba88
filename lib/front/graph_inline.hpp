// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The traversal of a node's operands. Included by graph.hpp.
#pragma once

#include "support/match.hpp"

#include <type_traits>

namespace sinter::front {

namespace operands {

template <class F>
void visit_all(const std::vector<Leaf>& leaves, F& visit) {
    for (const Leaf& leaf : leaves) visit(leaf);
}
template <class F>
void visit_all(const Captures& captures, F& visit) {
    visit_all(captures.scalars, visit);
    visit_all(captures.arrays, visit);
}
template <class F>
void visit_all(const std::vector<SizeOperand>& sizes, F& visit) {
    for (const SizeOperand& size : sizes)
        if (const Leaf* leaf = std::get_if<Leaf>(&size)) visit(*leaf);
}

}  // namespace operands

/// Order: arguments, initial values, captured scalars, captured arrays, sizes.
template <class F>
void for_each_leaf(const NodeOp& op, F visit) {
    using operands::visit_all;
    match(
        op, [](const Input&) {}, [](const Parameter&) {}, [](const Literal&) {}, [&](const ExtentOf& o) { visit(o.array); },
        [&](const Map& o) {
            visit_all(o.args, visit);
            visit_all(o.captures, visit);
            visit_all(o.shape, visit);
        },
        [&](const Fold& o) {
            visit_all(o.args, visit);
            visit_all(o.inits, visit);
            visit_all(o.captures, visit);
        },
        [&](const Transpose& o) { visit(o.arg); },
        [&](const Slice& o) {
            visit(o.arg);
            visit_all(o.start, visit);
            visit_all(o.extent, visit);
        },
        [&](const Reverse& o) { visit(o.arg); },
        [&](const Broadcast& o) {
            visit(o.arg);
            visit_all(o.new_extents, visit);
        },
        [&](const Reshape& o) {
            visit(o.arg);
            visit_all(o.shape, visit);
        },
        [&](const Flatten& o) { visit(o.arg); },
        [&](const Gather& o) {
            visit_all(o.indices, visit);
            visit_all(o.sources, visit);
        },
        [&](const Force& o) { visit_all(o.args, visit); }, [&](const Cond& o) { visit(o.condition); },
        [&](const Loop& o) {
            if (o.counted) visit(o.count);
            visit_all(o.inits, visit);
        },
        [&](const Scan& o) {
            visit_all(o.args, visit);
            visit_all(o.inits, visit);
            visit_all(o.captures, visit);
        },
        [&](const Compact& o) {
            visit(o.mask);
            visit_all(o.args, visit);
        },
        [&](const Scatter& o) {
            visit_all(o.dests, visit);
            visit_all(o.indices, visit);
            visit_all(o.values, visit);
            visit_all(o.captures, visit);
        },
        [&](const Sort& o) { visit_all(o.args, visit); }, [&](const Foreign& o) { visit_all(o.args, visit); },
        [&](const Vmap& o) { visit_all(o.args, visit); },
        [&](const Derivative& o) { visit_all(o.args, visit), visit_all(o.seeds, visit); },
        [&](const Custom& o) { visit_all(o.args, visit); },
        [&](const Rows& o) {
            visit_all(o.inits, visit);
            visit_all(o.args, visit);
        },
        [&](const Shift& o) { visit(o.arg); },
        [&](const Pad& o) {
            visit(o.arg);
            visit(o.fill);
            visit_all(o.start, visit);
            visit_all(o.extent, visit);
        });
}

}  // namespace sinter::front
