// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/function.hpp"

#include "ir/walk.hpp"
#include "support/check.hpp"

#include <utility>

namespace sinter::ir {

namespace {

/// Canonical renumbering. Every definition of the function gets a number of its own (sibling blocks share levels); then one
/// depth-first walk from the results appends each instruction that it finishes to the list of its block. What a nested block
/// uses is finished before the instruction that owns the block, so every list is in dependency order.
class Canonical {
  public:
    explicit Canonical(const Fn& fn) {
        nodes_.reserve(fn.body.insts.size());
        std::vector<std::uint32_t> scope;
        std::size_t root = add_block(fn.body, scope);
        finish_needed_by(blocks_[root].results);
        body_ = rebuild(root, 0);
    }

    Block take() { return std::move(body_); }

  private:
    static constexpr std::uint32_t no_node = 0xffffffff;

    struct Node {
        const Inst* inst;
        std::uint32_t block;
        std::uint32_t first;              ///< number of its first definition
        std::vector<std::uint32_t> uses;  ///< definitions: operands, then results of its blocks
        std::vector<std::uint32_t> blocks;
        bool visited = false;
    };
    struct BlockInfo {
        const Block* block;
        std::uint32_t first_param;
        std::vector<std::uint32_t> results;   ///< definitions
        std::vector<std::uint32_t> schedule;  ///< nodes
    };

    std::uint32_t define(std::uint32_t node, std::size_t count) {
        auto first = static_cast<std::uint32_t>(owner_.size());
        owner_.insert(owner_.end(), count, node);
        return first;
    }

    static void push(std::vector<std::uint32_t>& scope, std::uint32_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) scope.push_back(first + static_cast<std::uint32_t>(i));
    }

    /// `scope`: the definition at each level.
    std::uint32_t add_block(const Block& block, std::vector<std::uint32_t>& scope) {
        auto id = static_cast<std::uint32_t>(blocks_.size());
        std::size_t outer = scope.size();
        std::uint32_t first_param = define(no_node, block.params.size());
        blocks_.push_back({&block, first_param, {}, {}});
        push(scope, first_param, block.params.size());
        for (const Inst& inst : block.insts) {
            std::uint32_t first = add_inst(inst, id, scope);
            push(scope, first, inst.types.size());
        }
        for (Local result : block.results) blocks_[id].results.push_back(at(scope, result));
        scope.resize(outer);
        return id;
    }

    std::uint32_t add_inst(const Inst& inst, std::uint32_t block, std::vector<std::uint32_t>& scope) {
        Node node{&inst, block, 0, {}, {}};
        for (Local operand : inst.operands) node.uses.push_back(at(scope, operand));
        for (const Block& nested : inst.blocks) {
            std::uint32_t id = add_block(nested, scope);
            node.blocks.push_back(id);
            node.uses.insert(node.uses.end(), blocks_[id].results.begin(), blocks_[id].results.end());
        }
        auto id = static_cast<std::uint32_t>(nodes_.size());
        node.first = define(id, inst.types.size());
        nodes_.push_back(std::move(node));
        return nodes_.back().first;
    }

    static std::uint32_t at(const std::vector<std::uint32_t>& scope, Local local) {
        check(local.index < scope.size(), "a function uses a local that is not in scope");
        return scope[local.index];
    }

    void finish_needed_by(const std::vector<std::uint32_t>& definitions) {
        struct Visit {
            std::uint32_t node;
            std::size_t next_use;
        };
        std::vector<Visit> stack;
        auto enter = [&](std::uint32_t definition) {
            std::uint32_t node = owner_[definition];
            if (node == no_node || std::exchange(nodes_[node].visited, true)) return;
            stack.push_back({node, 0});
        };
        for (std::uint32_t definition : definitions) {
            enter(definition);
            while (!stack.empty()) {
                auto& [node, next_use] = stack.back();
                if (next_use < nodes_[node].uses.size()) {
                    enter(nodes_[node].uses[next_use++]);
                } else {
                    blocks_[nodes_[node].block].schedule.push_back(node);
                    stack.pop_back();
                }
            }
        }
    }

    void place(std::uint32_t first, std::size_t count, std::size_t level) {
        level_.resize(owner_.size());
        for (std::size_t i = 0; i < count; ++i) level_[first + i] = static_cast<std::uint32_t>(level + i);
    }

    Block rebuild(std::size_t id, std::size_t level) {
        const BlockInfo& info = blocks_[id];
        Block result;
        result.params = info.block->params;
        place(info.first_param, result.params.size(), level);
        level += result.params.size();
        result.insts.reserve(info.schedule.size());
        for (std::uint32_t node : info.schedule) {
            result.insts.push_back(rebuild(nodes_[node], level));
            place(nodes_[node].first, nodes_[node].inst->types.size(), level);
            level += nodes_[node].inst->types.size();
        }
        for (std::uint32_t definition : info.results) result.results.push_back(Local(level_[definition]));
        return result;
    }

    Inst rebuild(const Node& node, std::size_t level) {
        Inst inst{node.inst->op, node.inst->types, node.inst->bits, {}, {}};
        inst.operands.reserve(node.inst->operands.size());
        for (std::size_t i = 0; i < node.inst->operands.size(); ++i) inst.operands.push_back(Local(level_[node.uses[i]]));
        for (std::uint32_t block : node.blocks) inst.blocks.push_back(rebuild(block, level));
        return inst;
    }

    std::vector<Node> nodes_;
    std::vector<BlockInfo> blocks_;
    std::vector<std::uint32_t> owner_;  ///< definition -> node, or no_node for a parameter
    std::vector<std::uint32_t> level_;  ///< definition -> level in the result
    Block body_;
};

}  // namespace

std::size_t count_instructions(const Block& block) {
    std::size_t count = 0;
    for_each_inst(block, [&](const Inst&) { ++count; });
    return count;
}

std::vector<Scalar> result_types(const Fn& fn) {
    std::vector<Scalar> locals = fn.body.params;
    for (const Inst& inst : fn.body.insts) locals.insert(locals.end(), inst.types.begin(), inst.types.end());
    std::vector<Scalar> types;
    for (Local result : fn.body.results) {
        check(result.index < locals.size(), "a function's result is not in scope");
        types.push_back(locals[result.index]);
    }
    return types;
}

Fn canonical(const Fn& fn) { return {fn.arrays, Canonical(fn).take()}; }

bool is_contractible(const Inst& inst) {
    const bool sum_or_product = inst.op == Op::add || inst.op == Op::sub || inst.op == Op::mul;
    return sum_or_product && (inst.type() == Scalar::f32 || inst.type() == Scalar::f64);
}

bool may_be_tf32(const Inst& inst) { return inst.op == Op::mul && inst.type() == Scalar::f32; }

std::optional<Op> as_single_op(const Fn& fn) {
    const Block& body = fn.body;
    if (!fn.arrays.empty() || body.params.size() != 2 || body.insts.size() != 1) return std::nullopt;
    const Inst& inst = body.insts[0];
    if (info(inst.op).arity != 2 || has_effect(inst.op) || inst.op == Op::check_index) return std::nullopt;
    if (body.results != std::vector{Local(2)}) return std::nullopt;
    bool straight = inst.operands == std::vector{Local(0), Local(1)};
    bool swapped = inst.operands == std::vector{Local(1), Local(0)};
    if (!straight && !(swapped && is_commutative(inst.op))) return std::nullopt;
    return inst.op;
}

}  // namespace sinter::ir
