// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/update_facts.hpp"

#include "ir/neutral.hpp"
#include "lower/locals.hpp"
#include "lower/loops.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

/// The operation of a block {left right -> op left right}; nothing for other blocks.
std::optional<Op> single_operation(const lower::Block& combine) {
    if (combine.insts.size() != 1 || combine.results.size() != 1) return std::nullopt;
    const Inst& inst = combine.insts[0];
    if (inst.operands.size() != 2 || inst.operands[0] == inst.operands[1]) return std::nullopt;
    const std::size_t result = std::max(inst.operands[0].index, inst.operands[1].index) + 1;
    if (combine.results[0].index != result) return std::nullopt;
    return inst.op;
}

bool is_extremum(Op op) { return op == Op::minimum || op == Op::maximum || op == Op::fmin || op == Op::fmax; }

/// True if hardware executes the operation on integers of 32 and 64 bits in memory.
bool is_atomic(Op op) {
    return op == Op::add || op == Op::minimum || op == Op::maximum || op == Op::bit_and || op == Op::bit_or ||
           op == Op::bit_xor;
}

UpdateFact fact_of(const lower::Kernel& kernel, const Inst& update) {
    const ir::Scalar type = kernel.buffers[update.bits].scalar;
    const auto op = single_operation(update.blocks[0]);
    UpdateFact fact{&update};
    if (update.operands.size() == 2) fact.any_order = !detail::is_float(type) || (op && is_extremum(*op));
    if (op && is_atomic(*op) && !detail::is_float(type) && detail::size_of(type) >= 4) fact.atomic = op;
    return fact;
}

void find_updates(const lower::Kernel& kernel, const lower::Block& block, std::vector<UpdateFact>& found) {
    for (const Inst& inst : block.insts) {
        if (inst.op == Op::update) found.push_back(fact_of(kernel, inst));
        for (const lower::Block& inner : inst.blocks) find_updates(kernel, inner, found);
    }
}

/// Finds the level at which the operator of the only update begins, following blocks that each point executes once.
class Capture {
  public:
    /// Returns false if there is another update.
    bool find(const lower::Block& block, std::size_t level, bool once) {
        level += block.params.size();
        for (const Inst& inst : block.insts) {
            if (inst.op == Op::update && (update || !once)) return false;
            if (inst.op == Op::update) update = &inst, level_of_operator = level;
            for (const lower::Block& inner : inst.blocks)
                if (inst.op != Op::update && !find(inner, level, once && inst.op == Op::cond)) return false;
            level += inst.types.size();
        }
        return true;
    }

    const Inst* update = nullptr;
    std::size_t level_of_operator = 0;
};

bool may_fail(const lower::Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(), [](const Inst& inst) {
        return inst.op == Op::check_divisor || inst.op == Op::expect || inst.op == Op::print ||
               std::any_of(inst.blocks.begin(), inst.blocks.end(), may_fail);
    });
}

}  // namespace

std::vector<UpdateFact> update_facts(const lower::Kernel& kernel) {
    std::vector<UpdateFact> found;
    find_updates(kernel, kernel.body, found);
    return found;
}

std::optional<CapturedUpdate> captured_update(const lower::Kernel& kernel, const std::vector<UpdateFact>& updates) {
    Capture capture;
    if (updates.size() != 1 || !capture.find(kernel.body, 0, true)) return std::nullopt;
    lower::Block combine = capture.update->blocks[0];
    const std::size_t level = capture.level_of_operator;
    if (!lower::stands_alone(combine, level) || may_fail(combine)) return std::nullopt;
    lower::shift(combine, level, -static_cast<std::ptrdiff_t>(level));
    CapturedUpdate result{updates[0], {}, false, capture.update->bits};
    lower::Inst& fold = result.fold;
    fold.op = Op::reduce;
    fold.bits = lower::reduce_bits(0, true);
    for (std::size_t k = 1; k < capture.update->operands.size(); ++k)
        fold.types.push_back(kernel.buffers[result.buffer + k - 1].scalar);
    result.has_neutral = ir::neutral_elements(combine, fold.types.size()).has_value();
    fold.blocks = {{}, std::move(combine)};
    return result;
}

std::int64_t CapturedUpdate::bytes() const {
    std::int64_t bytes = has_neutral ? 0 : 1;
    for (lower::Scalar type : fold.types) bytes += detail::size_of(type);
    return bytes;
}

}  // namespace sinter::schedule
