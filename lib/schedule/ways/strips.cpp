// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/strips.hpp"

#include "schedule/ways/loop_accesses.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

/// 1 if the offset grows by one from step to step, -1 if it shrinks by one, else 0.
int direction(const Pattern& offset) {
    if (offset.kind != Pattern::Kind::affine || !offset.number) return 0;
    return *offset.number == 1 ? 1 : *offset.number == -1 ? -1 : 0;
}

/// The direction in which an access goes that strips execute; else 0.
int direction_of(const lower::Kernel& kernel, const LoopAccesses& accesses, const Inst& inst) {
    if (inst.op != Op::load && inst.op != Op::store) return 0;
    const lower::Buffer& buffer = kernel.buffers[inst.bits];
    const ir::Local offset = inst.operands[0];
    if (buffer.local || buffer.dest || !accesses.is_known(offset) || !accesses.by_lane(offset).is_apart()) return 0;
    return direction(accesses.by_step(offset));
}

std::optional<Strips> strips_of(const lower::Kernel& kernel, const LoopAccesses& accesses) {
    const std::vector<Inst>& insts = accesses.body().insts;
    Strips result;
    result.of_strip.assign(insts.size(), false);
    result.offsets.assign(insts.size(), false);
    result.along = along_lines(kernel, accesses);
    int first = 0;
    for (std::size_t k = 0; k < insts.size(); ++k) {
        if (result.along && result.along->only_here[k]) continue;
        const int way = direction_of(kernel, accesses, insts[k]);
        if (way == 0 || (first != 0 && way != first)) continue;
        first = way;
        result.of_strip[k] = true;
        accesses.need(insts[k].operands[0], result.offsets);
    }
    result.descending = first < 0;
    return first == 0 && !result.along ? std::nullopt : std::optional(std::move(result));
}

}  // namespace

StripsOfLoops strips_of_loops(const lower::Kernel& kernel, const ControlFlow& control) {
    StripsOfLoops result;
    each_loop_of_lanes(kernel, control, [&](const Inst& loop, const std::vector<Pattern>& environment) {
        if (auto found = strips_of(kernel, LoopAccesses(kernel, control, loop, environment, false)))
            result.emplace(&loop, std::move(*found));
    });
    return result;
}

}  // namespace sinter::schedule
