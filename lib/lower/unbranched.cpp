// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/unbranched.hpp"

#include "ir/builder.hpp"
#include "ir/walk.hpp"
#include "lower/as_reduce.hpp"
#include "lower/loops.hpp"
#include "lower/tuning.hpp"

#include <algorithm>

namespace sinter::lower {

using ir::BlockBuilder;
using ir::Op;

namespace {

/// What a local varies with.
struct Varies {
    bool row = false, column = false;  ///< the last axis but one, the last
    bool data = false;                 ///< with what is loaded

    Varies operator|(const Varies& other) const { return {row || other.row, column || other.column, data || other.data}; }
};

bool is_harmless(const Inst& inst) {
    if (inst.types.empty() || inst.op == Op::while_loop) return false;
    const bool loop = inst.op == Op::for_loop || inst.op == Op::reduce;
    if (!loop && inst.op != Op::load && !ir::is_pure(inst.op, inst.type())) return false;
    return std::all_of(inst.blocks.begin(), inst.blocks.end(),
                       [](const Block& block) { return std::all_of(block.insts.begin(), block.insts.end(), is_harmless); });
}

class Unbranched {
  public:
    explicit Unbranched(const Kernel& kernel)
        : kernel_(kernel), varies_(kernel.space.size()), definitions_(kernel.space.size(), nullptr) {
        varies_.back().column = varies_[varies_.size() - 2].row = true;
    }

    /// Nothing if no branch has such a sum, or if there are other loops, beside which there are no register tiles.
    std::optional<Block> operator()() {
        const Block& body = kernel_.body;
        std::size_t level = varies_.size(), loops = 0;
        const Inst* found = nullptr;
        for (const Inst& inst : body.insts) {
            loops += has_loop(inst);
            if (inst.op == Op::cond && is_worthwhile(inst, level)) found = &inst;
            add(inst);
            level = varies_.size();
        }
        return loops == 1 && found != nullptr ? std::optional(without(*found)) : std::nullopt;
    }

  private:
    Varies of(const std::vector<Local>& locals) const {
        Varies all;
        for (Local l : locals) all = all | varies_[l.index];
        return all;
    }

    void add(const Inst& inst) {
        Varies varies = of(inst.operands);
        varies.data = varies.data || inst.op == Op::load || !inst.blocks.empty();
        varies_.insert(varies_.end(), inst.types.size(), varies);
        definitions_.resize(varies_.size(), &inst);
    }

    bool is_worthwhile(const Inst& cond, std::size_t level) {
        const Block &yes = cond.blocks[0], &no = cond.blocks[1];
        const Varies condition = varies_[cond.operands[0].index];
        if (condition.data || !condition.column || asks_whether_inside(cond.operands[0]))
            return false;  // a condition of rows alone leaves out whole rows
        const bool first = has_loop(yes);
        if (first == has_loop(no)) return false;
        const double share = share_of(cond.operands[0]);
        if ((first ? share : 1 - share) < tuning::least_share_of_branch) return false;
        const auto harmless = [](const Block& block) {
            return std::all_of(block.insts.begin(), block.insts.end(), is_harmless);
        };
        return harmless(yes) && harmless(no) && is_product(first ? yes : no, level);
    }

    static bool is_any_loop(const Inst& inst) {
        return is_loop(inst.op) || inst.op == Op::for_loop || inst.op == Op::while_loop;
    }
    static bool has_loop(const Block& block) { return ir::any_inst(block, is_any_loop); }
    static bool has_loop(const Inst& inst) {
        return is_any_loop(inst) ||
               std::any_of(inst.blocks.begin(), inst.blocks.end(), [](const Block& block) { return has_loop(block); });
    }

    /// What is loaded where an index is inside of an array, as in a pad, is there nowhere else.
    bool asks_whether_inside(Local condition) const {
        const Inst* inst = definitions_[condition.index];
        if (inst == nullptr || inst->type() != Scalar::boolean) return false;
        return inst->op == Op::inside || std::any_of(inst->operands.begin(), inst->operands.end(),
                                                     [&](Local operand) { return asks_whether_inside(operand); });
    }

    /// The part of the points for which a condition holds, as far as its form tells.
    double share_of(Local condition) const {
        const Inst* inst = definitions_[condition.index];
        if (inst == nullptr) return 0.5;
        switch (inst->op) {
            case Op::equal:
                return 0;
            case Op::not_equal:
                return 1;
            case Op::bit_not:
                return 1 - share_of(inst->operands[0]);
            case Op::bit_and:
                return share_of(inst->operands[0]) * share_of(inst->operands[1]);
            case Op::bit_or:
                return std::min(1.0, share_of(inst->operands[0]) + share_of(inst->operands[1]));
            default:
                return 0.5;
        }
    }

    /// Whether the block's only loop combines elements that it loads by row with others that it loads by column.
    bool is_product(const Block& block, std::size_t level) {
        const auto outside = static_cast<std::ptrdiff_t>(level);
        bool product = false;
        int loops = 0;
        for (const Inst& inst : block.insts) {
            if (inst.op == Op::for_loop || inst.op == Op::reduce) {
                ++loops;
                product = (inst.op == Op::reduce || as_reduce(inst, varies_.size())) && loads_by_row_and_column(inst);
            } else if (!inst.blocks.empty()) {
                loops = 2;
            }
            add(inst);
        }
        varies_.erase(varies_.begin() + outside, varies_.end());
        definitions_.resize(level);
        return product && loops == 1;
    }

    bool loads_by_row_and_column(const Inst& loop) {
        const std::size_t level = varies_.size();
        bool by_row = false, by_column = false;
        const Block* body = &loop.blocks[0];
        for (bool inner = true; inner;) {  // through a nest
            varies_.resize(varies_.size() + body->params.size());
            definitions_.resize(varies_.size(), nullptr);
            const Block* next = nullptr;
            for (const Inst& inst : body->insts) {
                if (inst.op == Op::load) {
                    const Varies offset = varies_[inst.operands[0].index];
                    by_row = by_row || (offset.row && !offset.column);
                    by_column = by_column || (offset.column && !offset.row);
                }
                if (inst.op == Op::for_loop) {
                    next = &inst.blocks[0];
                    break;
                }
                add(inst);
            }
            inner = next != nullptr;
            body = next;
        }
        varies_.resize(level);
        definitions_.resize(level);
        return by_row && by_column;
    }

    Block without(const Inst& branch) {
        BlockBuilder to(false);
        to.open(kernel_.body.params);
        std::vector<Local> names;
        for (std::size_t k = 0; k < kernel_.space.size(); ++k) names.emplace_back(k);
        for (const Inst& inst : kernel_.body.insts) {
            if (&inst == &branch) {
                const Local condition = names[inst.operands[0].index];
                const std::vector<Local> yes = inline_block(to, inst.blocks[0], names),
                                         no = inline_block(to, inst.blocks[1], names);
                for (std::size_t k = 0; k < inst.types.size(); ++k)
                    names.push_back(to.emit(Inst{Op::select, {inst.types[k]}, 0, {condition, yes[k], no[k]}, {}}));
                continue;
            }
            Block one{{}, {inst}, {}};
            for (std::size_t k = 0; k < inst.types.size(); ++k) one.results.emplace_back(names.size() + k);
            for (Local name : inline_block(to, one, names)) names.push_back(name);
        }
        std::vector<Local> results;
        for (Local result : kernel_.body.results) results.push_back(names[result.index]);
        return to.close(std::move(results));
    }

    const Kernel& kernel_;
    std::vector<Varies> varies_;            ///< by local
    std::vector<const Inst*> definitions_;  ///< likewise; null for a parameter
};

}  // namespace

Kernel unbranched(Kernel kernel) {
    if (kernel.space.size() < 2) return kernel;
    if (std::optional<Block> body = Unbranched(kernel)()) kernel.body = *std::move(body);
    return kernel;
}

}  // namespace sinter::lower
