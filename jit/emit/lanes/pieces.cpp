// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/pieces.hpp"

#include "jit/emit/code/scalar_ops.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;

Few turning_points(llvm::IRBuilder<>& ir, const Inst& inst, const Turn& turn) {
    llvm::Value* bound = ir.CreateSub(turn.bound.scalars[0], turn.index.scalars[0]);
    if (inst.op == Op::inside) return {ir.CreateNeg(turn.index.scalars[0]), bound};
    const bool strict = turn.index_first ? inst.op == Op::less || inst.op == Op::greater_equal
                                         : inst.op == Op::greater || inst.op == Op::less_equal;
    if (strict) return {bound};
    llvm::Value* behind = ir.CreateAdd(bound, ir.getInt64(1));
    return inst.op == Op::equal || inst.op == Op::not_equal ? Few{bound, behind} : Few{behind};
}

/// The comparison for all lanes of a piece, whose first has this index.
Value Pieces::turned(const Inst& inst, const Turn& turn, llvm::Value* index) {
    llvm::Value *at = ir.CreateAdd(turn.index.scalars[0], index), *bound = turn.bound.scalars[0];
    if (!turn.index_first) std::swap(at, bound);
    return Value::uniform(Scalar::boolean,
                          emit_scalar(ir, code_.machine, {inst.op, Scalar::boolean, Scalar::i64}, {at, bound}));
}

void Pieces::emit(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared) {
    Few points;
    for (const Turn& turn : interior.turns) points.append(turning_points(ir, loop.block.insts[turn.inst], turn));
    Few at{loop.lo};
    code_.loop_from_top(
        at, [&] { return ir.CreateICmpSLT(at[0], loop.hi); },
        [&] {
            llvm::Value *from = at[0], *to = loop.hi;
            for (llvm::Value* point : points) {
                llvm::Value* nearer = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, point, to);
                to = ir.CreateSelect(ir.CreateICmpSGT(point, from), nearer, to);
            }
            Prepared here = prepared;
            for (const Turn& turn : interior.turns)
                here[turn.inst] = Values{turned(loop.block.insts[turn.inst], turn, from)};
            Few none;
            vectors_.all({loop.block, loop.params, from, to}, lanes, here, none, [](Stage, const Values&) {});
            at[0] = to;
        });
}

}  // namespace sinter::emit
