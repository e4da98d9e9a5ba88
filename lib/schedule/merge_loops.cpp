// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/merge_loops.hpp"

#include "ir/builder.hpp"
#include "ir/walk.hpp"
#include "lower/loops.hpp"
#include "lower/verify.hpp"
#include "schedule/facts/facts.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::schedule {

using ir::Local;
using ir::Op;
using lower::Block;
using lower::Inst;
using lower::Kernel;

namespace {

/// Two instructions of the body that become one, and those between them that move in front of both.
struct Pair {
    std::size_t first, second;
    std::vector<bool> moved;  ///< by instruction
};

/// Finds loops that may become one.
class Find {
  public:
    explicit Find(const Kernel& kernel) : kernel_(kernel), insts_(kernel.body.insts) {
        std::size_t level = kernel.body.params.size();
        for (const Inst& inst : insts_) {
            levels_.push_back(level);
            definitions_.resize(level), level += inst.types.size();
            definitions_.resize(level, &inst);
        }
    }

    std::optional<Pair> operator()() {
        const Facts facts = facts_of(kernel_);
        for (const Facts::Loop& updating : facts.loops)
            for (const Facts::Loop& folding : facts.loops)
                if (updates_neighbours(updating) && folds(folding) && have_one_range(*updating.inst, *folding.inst))
                    if (auto pair = in_order(*updating.inst, *folding.inst)) return pair;
        return std::nullopt;
    }

  private:
    /// True if it can be executed earlier or later. (The kernel loads from inputs only.)
    static bool is_movable(const Inst& inst) {
        const bool reads = inst.op == Op::load || inst.op == Op::constant || inst.op == Op::size;
        return inst.blocks.empty() && (reads || ir::is_pure(inst.op));
    }

    /// True for a loop whose lanes update accumulators, each an element of its own, with what can be moved.
    bool updates_neighbours(const Facts::Loop& loop) const {
        if (loop.inst->op != Op::for_each || loop.element.in_turn > 0 || loop.element.ragged) return false;
        return std::all_of(loop.inst->blocks[0].insts.begin(), loop.inst->blocks[0].insts.end(), [&](const Inst& inst) {
            return is_movable(inst) || (inst.op == Op::update && lower::accumulator_at(kernel_, inst.bits));
        });
    }

    static bool folds(const Facts::Loop& loop) {
        if (loop.inst->op != Op::reduce || !loop.commutative || loop.element.ragged) return false;
        return !ir::any_inst(loop.inst->blocks[0],
                             [](const Inst& inst) { return ir::has_effect(inst.op) || lower::is_loop(inst.op); });
    }

    bool have_one_range(const Inst& a, const Inst& b) const {
        const std::size_t rank = lower::loop_rank(a);
        if (lower::loop_rank(b) != rank) return false;
        return std::equal(a.operands.begin(), a.operands.begin() + static_cast<std::ptrdiff_t>(rank), b.operands.begin(),
                          [&](Local x, Local y) { return x == y || are_equal(x, y); });
    }

    bool are_equal(Local x, Local y) const {
        const Inst *a = definitions_[x.index], *b = definitions_[y.index];
        return a && b && (a->op == Op::size || a->op == Op::constant) && *a == *b;
    }

    /// Where the later of two loops can go up to the earlier, together with what it needs.
    std::optional<Pair> in_order(const Inst& a, const Inst& b) const {
        const auto at = [&](const Inst& inst) { return static_cast<std::size_t>(&inst - insts_.data()); };
        Pair pair{std::min(at(a), at(b)), std::max(at(a), at(b)), std::vector<bool>(insts_.size(), false)};
        std::vector<bool> needed(levels_[pair.second], false);
        const auto need = [&](const Inst& inst) {
            const auto mark = [&](Local l) {
                if (l.index < needed.size()) needed[l.index] = true;
            };
            std::for_each(inst.operands.begin(), inst.operands.end(), mark);
            for (const Block& block : inst.blocks) ir::for_each_use(block, mark);
        };
        need(insts_[pair.second]);
        for (std::size_t k = pair.second; k-- > pair.first;) {
            const auto results = needed.begin() + static_cast<std::ptrdiff_t>(levels_[k]);
            const auto count = static_cast<std::ptrdiff_t>(insts_[k].types.size());
            if (std::find(results, results + count, true) == results + count) continue;
            if (k == pair.first || !is_movable(insts_[k])) return std::nullopt;
            pair.moved[k] = true;
            need(insts_[k]);
        }
        return pair;
    }

    const Kernel& kernel_;
    const std::vector<Inst>& insts_;
    std::vector<std::size_t> levels_;       ///< by instruction of the body: the level of its first result
    std::vector<const Inst*> definitions_;  ///< by local of the body; null for a parameter
};

/// Writes the body anew, in another order.
class Merge {
  public:
    Merge(const Block& body, const Pair& pair) : body_(body), pair_(pair) {}

    Block operator()() {
        const Local first = to_.open(body_.params);
        std::size_t level = body_.params.size();
        for (std::size_t k = 0; k < level; ++k) names_.emplace_back(first.index + k);
        for (const Inst& inst : body_.insts) {
            levels_.push_back(level);
            level += inst.types.size();
        }
        names_.resize(level);
        for (std::size_t k = 0; k < body_.insts.size(); ++k) {
            if (k == pair_.first) both();
            if (k != pair_.first && k != pair_.second && !pair_.moved[k]) single(k);
        }
        return to_.close(renamed(body_.results, names_));
    }

  private:
    using Names = std::vector<Local>;  ///< by level in the old body

    static std::vector<Local> renamed(const std::vector<Local>& old, const Names& names) {
        std::vector<Local> result;
        for (const Local l : old) result.push_back(names[l.index]);
        return result;
    }

    void single(std::size_t k) { define(k, to_.emit(copied(body_.insts[k], names_before(k)))); }

    void define(std::size_t k, Local first) {
        for (std::size_t n = 0; n < body_.insts[k].types.size(); ++n) names_[levels_[k] + n] = Local(first.index + n);
    }

    Names names_before(std::size_t k) const {
        return {names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(levels_[k])};
    }

    Inst copied(const Inst& old, const Names& names) {
        Inst inst{old.op, old.types, old.bits, renamed(old.operands, names), {}};
        for (const Block& inner : old.blocks) inst.blocks.push_back(block(inner, names));
        return inst;
    }

    Block block(const Block& old, Names names) {
        const Local first = to_.open(old.params);
        return to_.close(contents(old, first, std::move(names)));
    }

    /// Copies instructions into the open block, whose parameters begin with `first`; returns the names of the results.
    std::vector<Local> contents(const Block& old, Local first, Names names) {
        for (std::size_t k = 0; k < old.params.size(); ++k) names.emplace_back(first.index + k);
        for (const Inst& inst : old.insts) {
            const Local result = to_.emit(copied(inst, names));
            for (std::size_t k = 0; k < inst.types.size(); ++k) names.emplace_back(result.index + k);
        }
        return renamed(old.results, names);
    }

    /// The loops as one.
    void both() {
        for (std::size_t k = 0; k < body_.insts.size(); ++k)
            if (pair_.moved[k]) single(k);
        const bool folds_first = body_.insts[pair_.first].op == Op::reduce;
        const std::size_t fold = folds_first ? pair_.first : pair_.second, update = folds_first ? pair_.second : pair_.first;
        const Inst& old = body_.insts[fold];
        Inst inst{old.op, old.types, old.bits, renamed(old.operands, names_), {}};
        const Local index = to_.open(old.blocks[0].params);
        std::vector<Local> elements = contents(old.blocks[0], index, names_before(fold));
        contents(body_.insts[update].blocks[0], index, names_before(update));
        inst.blocks.push_back(to_.close(std::move(elements)));
        inst.blocks.push_back(block(old.blocks[1], names_before(fold)));
        define(fold, to_.emit(std::move(inst)));
    }

    const Block& body_;
    const Pair& pair_;
    ir::BlockBuilder to_{true};
    Names names_;
    std::vector<std::size_t> levels_;  ///< by instruction of the body: the level of its first result
};

}  // namespace

Kernel merge_loops(const Kernel& kernel) {
    Kernel result = kernel;
    const auto is_both = [](const lower::Buffer& buffer) { return buffer.local || buffer.dest; };
    const bool overwrites = std::any_of(kernel.buffers.begin(), kernel.buffers.end(), is_both);
    if (kernel.accumulators.empty() || overwrites) return result;
    while (const auto pair = Find(result)()) result.body = Merge(result.body, *pair)();
    return lower::verified(std::move(result));
}

}  // namespace sinter::schedule
