// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/blocks.hpp"

namespace sinter::emit {

namespace {

/// Marks the locals below `level` that `b`, a block that starts at `level`, uses.
void mark_uses(const Block& b, std::size_t level, std::vector<bool>& used) {
    auto mark = [&](ir::Local l) {
        if (l.index < level) used[l.index] = true;
    };
    for (const Inst& inst : b.insts) {
        for (ir::Local l : inst.operands) mark(l);
        for (const Block& inner : inst.blocks) mark_uses(inner, level, used);
    }
    for (ir::Local l : b.results) mark(l);
}

/// By level: the locals of `b`, a block that starts at level `base`, that are used in it or are among `results`.
std::vector<bool> uses(const Block& b, llvm::ArrayRef<ir::Local> results, std::size_t base) {
    std::size_t level = base + b.params.size();
    std::size_t end = level;
    for (const Inst& inst : b.insts) end += inst.types.size();
    std::vector<bool> used(end, false);
    for (const Inst& inst : b.insts) {
        for (ir::Local l : inst.operands) used[l.index] = true;
        for (const Block& inner : inst.blocks) mark_uses(inner, level, used);
        level += inst.types.size();
    }
    for (ir::Local l : results) used[l.index] = true;
    return used;
}

}  // namespace

schedule::States Blocks::states_of(const Inst& inst) const {
    if (!control_) return {std::vector<bool>(inst.types.size(), false)};
    return schedule::states_of(control_->at(&inst), [&](ir::Local l) { return scope.varies(l); });
}

Values Blocks::locals_of(const Block& b, const Values& params, llvm::ArrayRef<ir::Local> locals, const Prepared* prepared) {
    const std::vector<bool> used = uses(b, locals, scope.size());
    const Scope::Frame frame(scope, params);
    for (std::size_t k = 0; k < b.insts.size(); ++k) {
        const auto first = used.begin() + static_cast<std::ptrdiff_t>(scope.size());
        used_.assign(first, first + static_cast<std::ptrdiff_t>(b.insts[k].types.size()));
        scope.add(prepared && (*prepared)[k] ? *(*prepared)[k] : emit(b.insts[k]));
    }
    Values results;
    for (ir::Local r : locals) results.push_back(scope[r]);
    return results;
}

Values Blocks::emit(const Inst& inst) {
    const auto idle = idle_.find(&inst);
    if (idle == idle_.end()) return instruction(inst);
    switch (idle->second) {
        case Idle::keeps:
            return {scope.operand(inst, inst.op == ir::Op::check_index || scope.operand(inst, 0).is_affine() ? 0 : 1)};
        case Idle::first:
            return {scope.operand(inst, 0)};
        case Idle::second:
            return {scope.operand(inst, 1)};
        default:
            return {Value::uniform(Scalar::boolean, code.ir.getInt1(idle->second == Idle::holds))};
    }
}

}  // namespace sinter::emit
