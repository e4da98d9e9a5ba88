// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/fetched_ahead.hpp"

#include "schedule/tuning.hpp"
#include "schedule/ways/loop_accesses.hpp"

#include <cstdlib>
#include <optional>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

bool is_affine(const Pattern& offset) { return offset.kind == Pattern::Kind::affine; }

/// True if lanes load neighbours, and each step loads lines of its own.
bool gains(const lower::Kernel& kernel, const LoopAccesses& accesses, const Inst& inst) {
    if (inst.op != Op::load || kernel.buffers[inst.bits].local || !accesses.is_known(inst.operands[0])) return false;
    const Pattern &lane = accesses.by_lane(inst.operands[0]), &step = accesses.by_step(inst.operands[0]);
    if (!is_affine(lane) || lane.number != 1 || !is_affine(step)) return false;
    return !step.number || std::abs(*step.number) * detail::size_of(inst.type()) >= tuning::line_bytes;
}

std::optional<FetchedAhead> ahead_of(const lower::Kernel& kernel, const LoopAccesses& accesses) {
    const std::vector<Inst>& insts = accesses.body().insts;
    FetchedAhead result{std::vector<bool>(insts.size()), std::vector<bool>(insts.size())};
    bool any = false;
    for (std::size_t k = 0; k < insts.size(); ++k) {
        if (!gains(kernel, accesses, insts[k])) continue;
        result.loads[k] = any = true;
        accesses.need(insts[k].operands[0], result.offsets);
    }
    return any ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace

AheadOfLoops fetched_ahead(const lower::Kernel& kernel, const ControlFlow& control) {
    AheadOfLoops result;
    each_loop_of_lanes(kernel, control, [&](const Inst& loop, const std::vector<Pattern>& environment) {
        if (auto found = ahead_of(kernel, LoopAccesses(kernel, control, loop, environment, true)))
            result.emplace(&loop, std::move(*found));
    });
    return result;
}

}  // namespace sinter::schedule
