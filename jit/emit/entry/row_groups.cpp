// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/masks.hpp"
#include "jit/emit/entry/ways.hpp"

#include <algorithm>

namespace sinter::emit {

namespace {

bool has_updates(const Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(), [](const Inst& inst) { return inst.op == ir::Op::update; });
}

}  // namespace

void emit_row_groups(Emitter& emitter, const LaneLoop& loop, const schedule::RowBlocks& blocks) {
    Code& code = emitter.code;
    llvm::IRBuilder<>& ir = code.ir;
    const Prepared prepared = emitter.lanes.invariants().prepare(loop.block, loop.params);
    Lanes lanes;
    lanes.width = blocks.lanes;
    lanes.open = true;
    lanes.in_turn = has_updates(loop.block);
    const WithLanes with(code, lanes);
    emitter.addresses.share_locals(lanes.width);
    const Rows::Opened opened(emitter.rows, blocks.strips);
    Few none;
    llvm::Value* last = ir.CreateSub(loop.hi, code.i64(lanes.width));
    auto group = [&](llvm::Value* i) {
        llvm::Value* first = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, last);
        Lanes own = lanes;
        if (own.in_turn) own.fresh = ir.CreateNot(code.narrow(tail_mask(code, ir.CreateSub(i, first))[0]));
        const WithLanes with_own(code, own);
        Values params = loop.params;
        params.push_back(Value::index(first));
        params.back().lane_stride = code.i64(1);
        params.back().part_stride = code.i64(0);
        emitter.block(loop.block, params, &prepared);
    };
    auto groups = [&] { code.loop(loop.lo, loop.hi, lanes.width, none, group); };
    lanes.in_turn ? emitter.with_waiting_updates(groups) : groups();
}

}  // namespace sinter::emit
