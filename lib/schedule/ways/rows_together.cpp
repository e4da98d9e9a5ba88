// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/rows_together.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

std::optional<RowsTogether> rows_together(const Machine& machine, const lower::Kernel& kernel, const Facts& facts) {
    const std::vector<Inst>& insts = kernel.body.insts;
    const std::size_t axes = kernel.space.size();
    if (machine.vector_bits == 0 || machine.single_tail(false) || axes < 2 || facts.points.divergent) return std::nullopt;
    if (insts.size() > tuning::most_instructions_together || !computes_elements(kernel, true)) return std::nullopt;
    const Lanes lanes = lanes_for_effects(machine, facts.points, facts.borders, facts.reads_shifted);
    if (!lanes.covering) return std::nullopt;
    std::vector<Pattern> across(axes), along(axes);
    across[axes - 2] = along[axes - 1] = Pattern::lane();
    const std::vector<Pattern> by_row = body_patterns(kernel, facts.control, across),
                               by_lane = body_patterns(kernel, facts.control, along);
    RowsTogether result;
    for (std::size_t k = 0, local = axes; k < insts.size(); local += insts[k++].types.size()) {
        const Inst& inst = insts[k];
        if (is_bordered(inst.op) && !is_computed(by_row[local], by_lane[local])) return std::nullopt;
        if (inst.op != Op::load && inst.op != Op::store) continue;
        const std::size_t offset = inst.operands[0].index;
        const bool shared = by_row[offset].is_uniform(), contiguous = by_lane[offset].is_neighbour();
        if (inst.op == Op::store && !contiguous) return std::nullopt;
        if (inst.op == Op::load && shared && contiguous) ++result.shared;
    }
    result.blocks.rest = lanes;
    result.blocks.width = lanes.width;
    result.blocks.rows = tuning::rows_together;
    return result;
}

}  // namespace sinter::schedule
