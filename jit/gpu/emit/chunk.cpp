// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes from chunk to chunk. Of a reduce: one array a value, [chunk][point], for the next kernel. Of a scan or compact:
// what lookback.hpp says.
#include "jit/gpu/emit/loops.hpp"
#include "jit/gpu/emit/notes.hpp"

namespace sinter::gpu {

/// The kernel has no more to do for its point; what is emitted behind is never reached.
void Loops::leave_point() {
    ir.CreateBr(chunk.done);
    c_.enter(c_.block());
}

/// The block with the last chunk goes on.
void Loops::leave_unless_last() {
    llvm::BasicBlock* on = c_.block();
    llvm::Value* is_last = ir.CreateICmpEQ(ir.CreateAdd(chunk.index, c_.i64(1)), chunk.count);
    ir.CreateCondBr(is_last, on, chunk.done);
    c_.enter(on);
}

llvm::Value* Loops::partial(std::size_t k, llvm::Value* at) {
    llvm::Value* offset = ir.CreateAdd(ir.CreateMul(at, chunk.points), point);
    return ir.CreateInBoundsGEP(c_.memory_type(chunk.loop->types[k]), chunk.arrays[k], offset);
}

Values Loops::load_partials(llvm::Value* at) {
    Values result;
    const auto& types = chunk.loop->types;
    for (std::size_t k = 0; k < types.size(); ++k) {
        llvm::Value* v = ir.CreateLoad(c_.memory_type(types[k]), partial(k, at));
        result.push_back(Value::uniform(types[k], types[k] == ir::Scalar::boolean ? ir.CreateIsNotNull(v) : v));
    }
    return result;
}

void Loops::store_partials(llvm::Value* at, const Values& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
        llvm::Value* v = values[k].scalars[0];
        if (v->getType()->isIntegerTy(1)) v = ir.CreateZExt(v, ir.getInt8Ty());
        ir.CreateStore(v, partial(k, at));
    }
}

Few Loops::look_back(const Few& own, const Few& absent, Team::Merge merge) {
    // As card::lookback_entries.
    llvm::Value* entries = ir.CreateAdd(ir.CreateAdd(chunk.count, ir.CreateLShr(chunk.count, 4)), c_.i64(1));
    const ChunkValues values{chunk.loop->types, std::get<card::ScanChunks>(schedule_.way).packed};
    Lookback lookback(c_, builtins_, *team, values, chunk.arrays[0], {chunk.arrays.begin() + 1, chunk.arrays.end()},
                      ir.CreateMul(point, entries));
    return lookback.before(own, absent, chunk.index, chunk.count, merge);
}

}  // namespace sinter::gpu
