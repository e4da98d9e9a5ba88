// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/outputs/without_output.hpp"

#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::lower {

using ir::Op;

namespace {

/// True if `bits` of the instruction is a buffer.
bool names_buffer(const Inst& inst) {
    return inst.op == Op::load || inst.op == Op::store || inst.op == Op::update || inst.op == Op::compact;
}

/// True if nothing but stores of the outermost block refers to the buffer.
bool is_stored_outside(const Kernel& kernel, std::size_t buffer) {
    auto refers = [&](const Inst& inst) {
        if (inst.op == Op::update || inst.op == Op::compact) return true;  // to several buffers
        return names_buffer(inst) && inst.bits == buffer;
    };
    return std::none_of(kernel.body.insts.begin(), kernel.body.insts.end(), [&](const Inst& inst) {
        const bool nested = std::any_of(inst.blocks.begin(), inst.blocks.end(),
                                        [&](const Block& block) { return ir::any_inst(block, refers); });
        return nested || (inst.op != Op::store && refers(inst));
    });
}

/// Makes what nothing uses a constant: so locals keep their numbers.
void drop_unused(Kernel& kernel) {
    std::vector<bool> used(ir::level_behind(kernel.body, 0));
    std::size_t level = used.size();
    for (auto inst = kernel.body.insts.rbegin(); inst != kernel.body.insts.rend(); ++inst) {
        level -= inst->types.size();
        const bool is_unused = inst->types.size() == 1 && !used[level] && !ir::has_effect(inst->op) &&
                               inst->op != Op::expect && inst->op != Op::print && inst->op != Op::check_divisor &&
                               inst->blocks.empty();
        if (is_unused) *inst = {Op::constant, inst->types, 0, {}, {}};
        for (ir::Local local : inst->operands) used[local.index] = true;
        for (Block& nested : inst->blocks)
            ir::for_each_use(nested, [&](ir::Local local) {
                if (local.index < used.size()) used[local.index] = true;
            });
    }
}

}  // namespace

std::optional<Kernel> without_output(Kernel kernel, std::size_t output) {
    if (!is_stored_outside(kernel, output)) return std::nullopt;
    std::erase_if(kernel.body.insts, [&](const Inst& inst) { return inst.op == Op::store && inst.bits == output; });
    drop_unused(kernel);
    ir::for_each_inst(kernel.body, [&](Inst& inst) {
        if (names_buffer(inst) && inst.bits > output) --inst.bits;
    });
    kernel.buffers.erase(kernel.buffers.begin() + static_cast<std::ptrdiff_t>(output));
    std::erase_if(kernel.accumulators, [&](const Accumulator& each) { return each.buffer == output; });
    for (Accumulator& each : kernel.accumulators)
        if (each.buffer > output) --each.buffer;
    return kernel;
}

}  // namespace sinter::lower
