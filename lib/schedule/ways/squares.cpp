// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/squares.hpp"

#include "schedule/lanes.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

bool is_allowed(const lower::Kernel& kernel, const Inst& inst) {
    if (inst.op == Op::store) {
        const lower::Buffer& to = kernel.buffers[inst.bits];
        return !to.dest && !to.takes && !to.local;
    }
    if (inst.op == Op::load || inst.op == Op::size || inst.op == Op::constant) return true;
    return inst.blocks.empty() && ir::is_pure(inst.op, inst.type());
}

}  // namespace

bool is_bordered(Op op) { return op == Op::minimum || op == Op::maximum || ir::is_continuation(op); }

bool is_computed(const Pattern& by_row, const Pattern& by_lane) {
    return by_row.kind != Pattern::Kind::affine && by_lane.kind != Pattern::Kind::affine;
}

bool computes_elements(const lower::Kernel& kernel, bool checked) {
    std::vector<bool> sizes(kernel.space.size());  // by local
    return std::all_of(kernel.body.insts.begin(), kernel.body.insts.end(), [&](const Inst& inst) {
        const bool by_size = (inst.op == Op::div || inst.op == Op::rem) && sizes[inst.operands[1].index];
        sizes.insert(sizes.end(), inst.types.size(), inst.op == Op::size);
        return by_size || (checked && inst.op == Op::check_index) || is_allowed(kernel, inst);
    });
}

std::optional<Squares> squares(const Machine& machine, const lower::Kernel& kernel, const Facts& facts) {
    const Profile& points = facts.points;
    const std::vector<Inst>& insts = kernel.body.insts;
    const std::size_t axes = kernel.space.size();
    if (machine.vector_bits == 0 || axes < 2 || insts.size() > tuning::most_square_instructions) return std::nullopt;
    if (!computes_elements(kernel, false)) return std::nullopt;
    std::vector<Pattern> across(axes), along(axes);
    across[axes - 2] = along[axes - 1] = Pattern::lane();
    Squares result;
    result.rest = lanes_for_effects(machine, points, facts.borders);
    result.width = choose_lanes(machine, points, 0).width;
    result.rows = std::min(tuning::most_square_rows, result.width);
    const std::vector<Pattern> by_row = body_patterns(kernel, facts.control, across),
                               by_lane = body_patterns(kernel, facts.control, along);
    std::size_t local = axes;
    for (const Inst& inst : insts) {
        const std::size_t offset = inst.operands.empty() ? 0 : inst.operands[0].index, own = local;
        local += inst.types.size();
        if (is_bordered(inst.op) && !is_computed(by_row[own], by_lane[own])) return std::nullopt;
        if (inst.op == Op::store && !by_lane[offset].is_neighbour()) return std::nullopt;
        if (inst.op != Op::load || !by_row[offset].is_neighbour() || !by_lane[offset].is_apart()) continue;
        result.loads.push_back(&inst);
        result.rows = std::min(result.rows, tuning::line_bytes / detail::size_of(inst.type()));
        result.narrow = result.narrow && detail::size_of(inst.type()) < 4;
    }
    for (const lower::Buffer& buffer : kernel.buffers)
        if (buffer.output)
            result.beside = std::max(result.beside, tuning::line_bytes / (result.width * detail::size_of(buffer.scalar)));
    for (const Inst* load : result.loads)
        result.below = std::max(result.below, tuning::line_bytes / (result.rows * detail::size_of(load->type())));
    const bool whole = result.rows >= tuning::least_square_rows && result.width % result.rows == 0;
    return whole && !result.loads.empty() ? std::optional(result) : std::nullopt;
}

}  // namespace sinter::schedule
