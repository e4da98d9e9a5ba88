// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/block_loops.hpp"

#include "ad/loops/expanded.hpp"
#include "ad/tuning.hpp"
#include "ir/builder.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

class BlockLoops {
  public:
    BlockLoops(BlockBuilder& to, VariedLocals varied) : to_(to), varied_(std::move(varied)) {}

    /// Copies a block whose parameters begin at `first`, and closes it.
    Block write(const Block& block, Local first) {
        const std::size_t level = env_.size();
        for (std::size_t k = 0; k < block.params.size(); ++k) env_.emplace_back(first.index + k);
        for (const Inst& inst : block.insts) {
            const std::vector<Local> results = is_expanded(inst, varied_) ? control(inst) : copied(inst);
            if (inst.op == Op::constant) constants_[env_.size()] = inst.bits;
            varied_.define(inst);
            env_.insert(env_.end(), results.begin(), results.end());
        }
        std::vector<Local> results = renamed(block.results);
        env_.resize(level);
        constants_.erase(constants_.lower_bound(level), constants_.end());
        return to_.close(std::move(results));
    }

  private:
    std::vector<Local> renamed(const std::vector<Local>& old) const {
        std::vector<Local> locals;
        for (Local local : old) locals.push_back(env_[local.index]);
        return locals;
    }

    std::vector<Local> copied(const Inst& inst) {
        Block alone;
        alone.insts.push_back(inst);
        for (std::size_t k = 0; k < inst.types.size(); ++k) alone.results.emplace_back(env_.size() + k);
        return inline_block(to_, alone, env_);
    }

    std::vector<Local> control(const Inst& inst) {
        const std::size_t level = varied_.level();
        if (inst.op == Op::for_loop) {
            define_params(inst, inst.blocks[0], varied_);
            const bool is_innermost = !contains_expanded(inst.blocks[0], varied_);
            varied_.forget(level);
            if (is_innermost) return blocked(inst);
        }
        Inst made{inst.op, inst.types, inst.bits, renamed(inst.operands), {}};
        for (const Block& block : inst.blocks) {
            define_params(inst, block, varied_);
            made.blocks.push_back(write(block, to_.open(block.params)));
            varied_.forget(level);
        }
        return emitted(std::move(made));
    }

    std::vector<Local> emitted(Inst inst) {
        const std::size_t count = inst.types.size();
        const Local first = to_.emit(std::move(inst));
        std::vector<Local> results;
        for (std::size_t k = 0; k < count; ++k) results.emplace_back(first.index + k);
        return results;
    }

    std::vector<Local> blocked(const Inst& loop) {
        const std::size_t size = std::max<std::size_t>(count_instructions(loop.blocks[0]), 1);
        const std::vector<Local> operands = renamed(loop.operands);
        std::vector<Local> states(operands.begin() + 1, operands.end());
        if (const auto count = constants_.find(loop.operands[0].index); count != constants_.end()) {
            const auto iterations = static_cast<std::int64_t>(count->second);
            if (iterations <= 0) return states;
            if (count->second <= std::size_t{1} << longest_block && count->second * size <= block_instructions)
                return written_out(loop.blocks[0], to_.constant_index(0), std::move(states), count->second);
        }
        std::size_t shift = 0;
        while (size << (shift + 1) <= block_instructions && shift < longest_block) ++shift;
        if (shift == 0) return copied(loop);
        auto apply = [&](Op op, Local a, Local b) { return to_.emit(op, {a, b}); };
        const Local count = apply(Op::maximum, operands[0], to_.constant_index(0));
        const Local by = to_.constant_index(static_cast<std::int64_t>(shift));
        const Local blocks = apply(Op::shift_right, count, by), done = apply(Op::shift_left, blocks, by);
        states = iterations(loop, blocks, std::move(states), std::size_t{1} << shift,
                            [&](Local block) { return apply(Op::shift_left, block, by); });
        return iterations(loop, apply(Op::sub, count, done), std::move(states), 1,
                          [&](Local k) { return apply(Op::add, done, k); });
    }

    /// A loop of `count` iterations, each of which is `length` of the old ones, from number first(iteration) on.
    template <class First>
    std::vector<Local> iterations(const Inst& loop, Local count, std::vector<Local> states, std::size_t length,
                                  First first) {
        Inst made{Op::for_loop, loop.types, loop.bits, {count}, {}};
        made.operands.insert(made.operands.end(), states.begin(), states.end());
        const Local index = to_.open(loop.blocks[0].params), start = first(index);
        for (std::size_t k = 0; k < states.size(); ++k) states[k] = Local(index.index + 1 + k);
        made.blocks.push_back(to_.close(written_out(loop.blocks[0], start, std::move(states), length)));
        return emitted(std::move(made));
    }

    /// The states after iterations `start` and following.
    std::vector<Local> written_out(const Block& body, Local start, std::vector<Local> states, std::size_t length) {
        for (std::size_t k = 0; k < length; ++k) {
            std::vector<Local> env = env_;
            env.push_back(k == 0 ? start : to_.emit(Op::add, {start, to_.constant_index(static_cast<std::int64_t>(k))}));
            env.insert(env.end(), states.begin(), states.end());
            states = inline_block(to_, body, std::move(env));
        }
        return states;
    }

    BlockBuilder& to_;
    VariedLocals varied_;                             ///< by level of the function that is read
    std::vector<Local> env_;                          ///< by that level, the locals of the function that is written
    std::map<std::size_t, std::uint64_t> constants_;  ///< by that level
};

}  // namespace

Fn block_loops(const Fn& fn, const std::vector<bool>& params, const std::vector<bool>& slots) {
    BlockBuilder builder;
    const Local first = builder.open(fn.body.params);
    return {fn.arrays, BlockLoops(builder, VariedLocals(params, slots)).write(fn.body, first)};
}

}  // namespace sinter::ad
