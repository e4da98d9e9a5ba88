// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/entry/ways.hpp"

namespace sinter::emit {

void emit_row_groups(Emitter& emitter, const LaneLoop& loop, const schedule::RowBlocks& blocks) {
    Code& code = emitter.code;
    llvm::IRBuilder<>& ir = code.ir;
    const Prepared prepared = emitter.lanes.invariants().prepare(loop.block, loop.params);
    Lanes lanes;
    lanes.width = blocks.lanes;
    lanes.open = true;
    const WithLanes with(code, lanes);
    emitter.addresses.share_locals(lanes.width);
    const Rows::Opened opened(emitter.rows, blocks.strips);
    Few none;
    llvm::Value* last = ir.CreateSub(loop.hi, code.i64(lanes.width));
    code.loop(loop.lo, loop.hi, lanes.width, none, [&](llvm::Value* i) {
        Values params = loop.params;
        params.push_back(Value::index(ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, last)));
        params.back().lane_stride = code.i64(1);
        params.back().part_stride = code.i64(0);
        emitter.block(loop.block, params, &prepared);
    });
}

}  // namespace sinter::emit
