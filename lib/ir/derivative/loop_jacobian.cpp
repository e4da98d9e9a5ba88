// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/derivative/loop_jacobian.hpp"

#include "ir/derivative/duals.hpp"
#include "ir/walk.hpp"

#include <algorithm>
#include <utility>

namespace sinter::ir::derivative {

std::vector<Local> varied_inputs(const Inst& loop, std::size_t level, const VariedLocals& varied) {
    std::vector<Local> inputs;
    auto use = [&](Local local) {
        if (local.index < level && varied(local)) inputs.push_back(local);
    };
    std::for_each(loop.operands.begin(), loop.operands.end(), use);
    for (const Block& block : loop.blocks) for_each_use(block, use);
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    return inputs;
}

bool can_carry_jacobian(const Inst& loop, const VariedLocals& varied, std::size_t inputs) {
    auto reads = [&](const Inst& inst) { return inst.op == Op::read && varied.wants(inst.bits); };
    const bool has_reads =
        std::any_of(loop.blocks.begin(), loop.blocks.end(), [&](const Block& block) { return any_inst(block, reads); });
    return !has_reads && varied_inputs(loop, varied.level(), varied).size() <= inputs;
}

namespace {

/// One more than the largest slot that is read in the block.
std::size_t slots_of(const Block& block) {
    std::size_t count = 0;
    for (const Inst& inst : block.insts) {
        if (inst.op == Op::read) count = std::max<std::size_t>(count, inst.bits + 1);
        for (const Block& inner : inst.blocks) count = std::max(count, slots_of(inner));
    }
    return count;
}

}  // namespace

LoopJacobian loop_with_jacobian(BlockBuilder& to, const Inst& loop, std::vector<Local> inputs,
                                const std::vector<Local>& primal) {
    const std::size_t directions = inputs.size(), level = primal.size();
    std::vector<std::vector<Term>> tangents(level, std::vector<Term>(directions));
    for (std::size_t d = 0; d < directions; ++d)
        tangents[inputs[d].index][d] = Terms(to).number_like(primal[inputs[d].index], 1);
    std::size_t arrays = 0;
    for (const Block& block : loop.blocks) arrays = std::max(arrays, slots_of(block));
    const std::vector<std::optional<std::size_t>> slots(arrays);
    Duals duals(to, primal, std::move(tangents), slots, directions);
    duals.copy(loop);
    LoopJacobian made{std::move(inputs), {}, std::vector<std::vector<Term>>(directions)};
    for (std::size_t k = 0; k < loop.types.size(); ++k) {
        made.results.push_back(duals.primal(Local(level + k)));
        for (std::size_t d = 0; d < directions; ++d) made.derivatives[d].push_back(duals.tangent(Local(level + k), d));
    }
    return made;
}

LoopJacobian recorded_loop(const Inst& loop, std::vector<Local> inputs, Local first) {
    std::size_t next = first.index;
    LoopJacobian made{std::move(inputs), {}, {}};
    for (std::size_t k = 0; k < loop.types.size(); ++k) made.results.push_back(Local(next++));
    for (std::size_t d = 0; d < made.inputs.size(); ++d) {
        made.derivatives.emplace_back();
        for (Scalar type : loop.types)
            made.derivatives[d].push_back(detail::is_float(type) ? Term(Local(next++)) : std::nullopt);
    }
    return made;
}

std::vector<Local> jacobian_locals(const LoopJacobian& jacobian) {
    std::vector<Local> locals = jacobian.results;
    for (const std::vector<Term>& row : jacobian.derivatives)
        for (const Term& term : row)
            if (term) locals.push_back(*term);
    return locals;
}

}  // namespace sinter::ir::derivative
