// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes from chunk to chunk: one array a value, [chunk][point].
#include "jit/gpu/loops.hpp"

namespace sinter::gpu {

/// The kernel has no more to do for its point; what is emitted behind is never reached.
void Loops::leave_point() {
    ir.CreateBr(chunk.done);
    c_.enter(c_.block());
}

llvm::Value* Loops::state(const std::vector<llvm::Value*>& arrays, std::size_t k, llvm::Value* at) {
    llvm::Value* offset = ir.CreateAdd(ir.CreateMul(at, chunk.points), point);
    return ir.CreateInBoundsGEP(c_.memory_type(states_of(*chunk.loop)[k]), arrays[k], offset);
}

Values Loops::load_states(const std::vector<llvm::Value*>& arrays, llvm::Value* at) {
    Values result;
    const auto& types = states_of(*chunk.loop);
    for (std::size_t k = 0; k < types.size(); ++k) {
        llvm::Value* v = ir.CreateLoad(c_.memory_type(types[k]), state(arrays, k, at));
        result.push_back(Value::uniform(types[k], types[k] == ir::Scalar::boolean ? ir.CreateIsNotNull(v) : v));
    }
    return result;
}

void Loops::store_states(const std::vector<llvm::Value*>& arrays, llvm::Value* at, const Values& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
        llvm::Value* v = values[k].scalars[0];
        if (v->getType()->isIntegerTy(1)) v = ir.CreateZExt(v, ir.getInt8Ty());
        ir.CreateStore(v, state(arrays, k, at));
    }
}

}  // namespace sinter::gpu
