// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/entry/inner_rows.hpp"

namespace sinter::emit {

using ir::Op;

namespace {

/// Says if the instruction does nothing to its index, given the scalars of both operands.
llvm::Value* does_nothing(llvm::IRBuilder<>& ir, const Inst& inst, llvm::Value* index, llvm::Value* bound) {
    if (inst.op == Op::maximum) return ir.CreateICmpSGE(index, bound);
    if (inst.op == Op::minimum) return ir.CreateICmpSLE(index, bound);
    return ir.CreateICmpULT(index, bound);  // inside
}

}  // namespace

IdleInstructions idle_in_inner_rows(const schedule::RowBorders& borders) {
    IdleInstructions idle;
    for (const auto& [inst, index] : borders.borders)
        idle[inst] = inst->op == Op::inside ? Idle::holds : index == 0 ? Idle::first : Idle::second;
    return idle;
}

/// Computes the indices as if they were inside; that they are is what has to be found out.
llvm::Value* is_inner_row(Emitter& emitter, const schedule::RowBorders& borders, const Values& outer) {
    llvm::IRBuilder<>& ir = emitter.code.ir;
    const Blocks::WithIdle with(emitter, idle_in_inner_rows(borders));
    const Scope::Frame frame(emitter.scope, outer);
    emitter.scope.add_unknown(1);
    llvm::Value* inner = ir.getTrue();
    auto border = borders.borders.begin();
    const std::vector<Inst>& insts = emitter.kernel.body.insts;
    for (std::size_t k = 0; k < insts.size(); ++k) {
        if (!borders.computes_index[k]) {
            emitter.scope.add_unknown(insts[k].types.size());
            continue;
        }
        if (border != borders.borders.end() && border->inst == &insts[k]) {
            llvm::Value* index = emitter.scope.operand(insts[k], border->index).scalars[0];
            llvm::Value* bound = emitter.scope.operand(insts[k], 1 - border->index).scalars[0];
            inner = ir.CreateAnd(inner, does_nothing(ir, insts[k], index, bound));
            ++border;
        }
        emitter.scope.add(emitter.emit(insts[k]));
    }
    return inner;
}

}  // namespace sinter::emit
