// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/strips.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

/// True if the distance from lane to lane is not that of neighbours.
bool is_apart(const Pattern& offset) {
    if (offset.kind != Pattern::Kind::affine) return false;
    return !offset.number || *offset.number > 1 || *offset.number < -1;
}

/// 1 if the offset grows by one from step to step, -1 if it shrinks by one, else 0.
int direction(const Pattern& offset) {
    if (offset.kind != Pattern::Kind::affine || !offset.number) return 0;
    return *offset.number == 1 ? 1 : *offset.number == -1 ? -1 : 0;
}

/// True if the instruction may be executed for all steps of a strip at once, provided that its operands may.
bool is_arithmetic(const Inst& inst) {
    if (inst.op == Op::constant || inst.op == Op::size) return true;
    return inst.blocks.empty() && inst.types.size() == 1 && inst.type() == ir::Scalar::i64 &&
           ir::is_pure(inst.op, inst.type()) && ir::info(inst.op).traits == ir::Traits::pure;
}

class Find {
  public:
    Find(const lower::Kernel& kernel, const ControlFlow& control, const Inst& loop, const std::vector<Pattern>& environment)
        : kernel_(kernel), body_(loop.blocks[0]), level_(environment.size()) {
        const States states = states_of(control.at(&loop), [&](ir::Local l) { return !environment[l.index].is_uniform(); });
        std::vector<Pattern> params{Pattern{}};
        for (const bool varies : states.vary) params.push_back(varies ? Pattern::varying() : Pattern{});
        by_lane_ = block_patterns(kernel, control, body_, environment, params);
        std::vector<Pattern> outside = environment;
        for (Pattern& each : outside)
            if (!each.is_uniform()) each = Pattern{.type = each.type};
        std::fill(params.begin(), params.end(), Pattern::varying());
        params[0] = Pattern::lane();
        by_step_ = block_patterns(kernel, control, body_, outside, params);
    }

    std::optional<Strips> operator()() {
        result_.of_strip.assign(body_.insts.size(), false);
        result_.offsets.assign(body_.insts.size(), false);
        find_known();
        int first = 0;
        for (std::size_t k = 0; k < body_.insts.size(); ++k) {
            const int way = direction_of(body_.insts[k]);
            if (way == 0 || (first != 0 && way != first)) continue;
            first = way;
            result_.of_strip[k] = true;
            need(body_.insts[k].operands[0]);
        }
        result_.descending = first < 0;
        return first == 0 ? std::nullopt : std::optional(std::move(result_));
    }

  private:
    /// Finds the locals for which steps do not depend on each other.
    void find_known() {
        known_.assign(level_ + 1, true);
        known_.resize(level_ + body_.params.size(), false);
        for (const Inst& inst : body_.insts) {
            const bool known = is_arithmetic(inst) && std::all_of(inst.operands.begin(), inst.operands.end(),
                                                                  [&](ir::Local l) { return known_[l.index]; });
            known_.resize(known_.size() + inst.types.size(), known);
        }
    }

    int direction_of(const Inst& inst) const {
        if (inst.op != Op::load && inst.op != Op::store) return 0;
        const lower::Buffer& buffer = kernel_.buffers[inst.bits];
        const std::size_t offset = inst.operands[0].index;
        if (buffer.local || buffer.dest || !known_[offset] || !is_apart(by_lane_[offset])) return 0;
        return direction(by_step_[offset]);
    }

    /// Marks the instruction that defines a local, and those that define its operands.
    void need(ir::Local local) {
        std::size_t level = level_ + body_.params.size();
        for (std::size_t k = 0; k < body_.insts.size(); ++k) {
            const std::size_t behind = level + body_.insts[k].types.size();
            if (local.index >= level && local.index < behind && !result_.offsets[k]) {
                result_.offsets[k] = true;
                for (ir::Local operand : body_.insts[k].operands) need(operand);
            }
            level = behind;
        }
    }

    const lower::Kernel& kernel_;
    const lower::Block& body_;
    const std::size_t level_;
    std::vector<Pattern> by_lane_, by_step_;  ///< of all locals, by what they vary with
    std::vector<bool> known_;                 ///< by local
    Strips result_;
};

}  // namespace

StripsOfLoops strips_of_loops(const lower::Kernel& kernel, const ControlFlow& control) {
    StripsOfLoops result;
    std::vector<Pattern> params(kernel.space.size());
    if (params.empty()) return result;
    params.back() = Pattern::lane();
    const std::vector<Pattern> all = body_patterns(kernel, control, params);
    std::size_t level = params.size();
    for (const Inst& inst : kernel.body.insts) {
        if (inst.op == Op::for_loop && all[inst.operands[0].index].is_uniform())
            if (auto found = Find(kernel, control, inst, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(level)})())
                result.emplace(&inst, std::move(*found));
        level += inst.types.size();
    }
    return result;
}

}  // namespace sinter::schedule
