// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/loop_accesses.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

/// True if the instruction may be executed for other steps as well, provided that its operands may.
bool is_arithmetic(const Inst& inst) {
    if (inst.op == Op::constant || inst.op == Op::size) return true;
    return inst.blocks.empty() && inst.types.size() == 1 && inst.type() == ir::Scalar::i64 &&
           ir::is_pure(inst.op, inst.type()) && ir::info(inst.op).traits == ir::Traits::pure;
}

}  // namespace

LoopAccesses::LoopAccesses(const lower::Kernel& kernel, const ControlFlow& control, const Inst& loop,
                           const std::vector<Pattern>& environment, bool past_checks)
    : body_(loop.blocks[0]), level_(environment.size()) {
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
    find_known(past_checks);
}

void LoopAccesses::find_known(bool past_checks) {
    known_.assign(level_ + 1, true);
    known_.resize(level_ + body_.params.size(), false);
    for (const Inst& inst : body_.insts) {
        const bool known = (is_arithmetic(inst) || (past_checks && inst.op == Op::check_index)) &&
                           std::all_of(inst.operands.begin(), inst.operands.end(), [&](ir::Local l) { return is_known(l); });
        known_.resize(known_.size() + inst.types.size(), known);
    }
}

void LoopAccesses::need(ir::Local local, std::vector<bool>& marked) const {
    std::size_t level = level_ + body_.params.size();
    for (std::size_t k = 0; k < body_.insts.size(); ++k) {
        const std::size_t behind = level + body_.insts[k].types.size();
        if (local.index >= level && local.index < behind && !marked[k]) {
            marked[k] = true;
            for (ir::Local operand : body_.insts[k].operands) need(operand, marked);
        }
        level = behind;
    }
}

void each_loop_of_lanes(const lower::Kernel& kernel, const ControlFlow& control,
                        const std::function<void(const Inst&, const std::vector<Pattern>&)>& visit) {
    std::vector<Pattern> params(kernel.space.size());
    if (params.empty()) return;
    params.back() = Pattern::lane();
    const std::vector<Pattern> all = body_patterns(kernel, control, params);
    std::size_t level = params.size();
    for (const Inst& inst : kernel.body.insts) {
        if (inst.op == Op::for_loop && all[inst.operands[0].index].is_uniform())
            visit(inst, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(level)});
        level += inst.types.size();
    }
}

}  // namespace sinter::schedule
