// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The operands of a front node, with sizes told apart, in the order in which conversion sees them.
#pragma once

#include "front/graph.hpp"
#include "support/match.hpp"

#include <span>
#include <variant>
#include <vector>

namespace sinter::convert {

/// Calls visit(leaf, as_size) on everything that `op` uses directly. Scopes are not entered.
template <class F>
void for_each_operand(const front::NodeOp& op, F visit) {
    auto data = [&](const std::vector<front::Leaf>& leaves) {
        for (const front::Leaf& leaf : leaves) visit(leaf, false);
    };
    auto captures = [&](const front::Captures& c) { data(c.scalars), data(c.arrays); };
    auto sizes = [&](const std::vector<front::SizeOperand>& operands) {
        for (const front::SizeOperand& operand : operands)
            if (const auto* leaf = std::get_if<front::Leaf>(&operand)) visit(*leaf, true);
    };
    match(
        op, [](const front::Input&) {}, [](const front::Parameter&) {}, [](const front::Literal&) {},
        [&](const front::ExtentOf& o) { visit(o.array, false); },
        [&](const front::Map& o) { data(o.args), captures(o.captures), sizes(o.shape); },
        [&](const front::Fold& o) { data(o.inits), data(o.args), captures(o.captures); },
        [&](const front::Transpose& o) { visit(o.arg, false); },
        [&](const front::Slice& o) { visit(o.arg, false), sizes(o.start), sizes(o.extent); },
        [&](const front::Reverse& o) { visit(o.arg, false); },
        [&](const front::Broadcast& o) { visit(o.arg, false), sizes(o.new_extents); },
        [&](const front::Reshape& o) { visit(o.arg, false), sizes(o.shape); },
        [&](const front::Flatten& o) { visit(o.arg, false); },
        [&](const front::Gather& o) { data(o.indices), data(o.sources); }, [&](const front::Force& o) { data(o.args); },
        [&](const front::Cond& o) { visit(o.condition, false); },
        [&](const front::Loop& o) {
            if (o.counted) visit(o.count, false);
            data(o.inits);
        },
        [&](const front::Scan& o) { data(o.inits), data(o.args), captures(o.captures); },
        [&](const front::Compact& o) { visit(o.mask, false), data(o.args); },
        [&](const front::Scatter& o) { data(o.dests), data(o.indices), data(o.values), captures(o.captures); },
        [&](const front::Sort& o) { data(o.args); }, [&](const front::Foreign& o) { data(o.args); },
        [&](const front::Vmap& o) { data(o.args); }, [&](const front::Rows& o) { data(o.inits), data(o.args); },
        [&](const front::Derivative& o) { data(o.args), data(o.seeds); }, [&](const front::Custom& o) { data(o.args); },
        [&](const front::Shift& o) { visit(o.arg, false); },
        [&](const front::Pad& o) { visit(o.arg, false), visit(o.fill, false), sizes(o.start), sizes(o.extent); });
}

/// The nested scopes of `op`, in order: {then, otherwise}, {condition, body}, {body} of a counted loop or vmap,
/// {function, rule} of a custom derivative, {function} of a checkpoint.
inline std::vector<const front::Scope*> scopes_of(const front::NodeOp& op) {
    if (const auto* cond = std::get_if<front::Cond>(&op)) return {&cond->then, &cond->otherwise};
    if (const auto* loop = std::get_if<front::Loop>(&op)) {
        if (loop->counted) return {&loop->body};
        return {&loop->condition, &loop->body};
    }
    if (const auto* vmap = std::get_if<front::Vmap>(&op)) return {&vmap->body};
    if (const auto* rows = std::get_if<front::Rows>(&op)) return {&rows->body};
    if (const auto* derivative = std::get_if<front::Derivative>(&op)) return {&derivative->body};
    if (const auto* custom = std::get_if<front::Custom>(&op)) {
        if (custom->kind == ir::Custom::Kind::checkpoint) return {&custom->function};
        return {&custom->function, &custom->rule};
    }
    return {};
}

}  // namespace sinter::convert
