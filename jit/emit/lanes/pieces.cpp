// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/pieces.hpp"

#include "jit/emit/code/scalar_ops.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;

/// The indices of lanes from which on a comparison has another result.
Few Pieces::turning_points(const Block& b, const Interior& interior) {
    Few points;
    for (const Turn& turn : interior.turns) {
        const Inst& inst = b.insts[turn.inst];
        llvm::Value* bound = ir.CreateSub(turn.bound.scalars[0], turn.index.scalars[0]);
        const bool strict = turn.index_first ? inst.op == Op::less || inst.op == Op::greater_equal
                                             : inst.op == Op::greater || inst.op == Op::less_equal;
        const bool equality = inst.op == Op::equal || inst.op == Op::not_equal;
        if (inst.op == Op::inside) points.push_back(ir.CreateNeg(turn.index.scalars[0]));
        if (strict || equality || inst.op == Op::inside) points.push_back(bound);
        if ((!strict && inst.op != Op::inside) || equality) points.push_back(ir.CreateAdd(bound, code_.i64(1)));
    }
    return points;
}

/// The comparison for all lanes of a piece, whose first has this index.
Value Pieces::turned(const Inst& inst, const Turn& turn, llvm::Value* index) {
    llvm::Value *at = ir.CreateAdd(turn.index.scalars[0], index), *bound = turn.bound.scalars[0];
    if (!turn.index_first) std::swap(at, bound);
    return Value::uniform(Scalar::boolean,
                          emit_scalar(ir, code_.machine, {inst.op, Scalar::boolean, Scalar::i64}, {at, bound}));
}

void Pieces::emit(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared) {
    const Few points = turning_points(loop.block, interior);
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
