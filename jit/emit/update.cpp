// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read, combine, write: one point after another.
#include "jit/emit/emitter.hpp"

namespace sinter::emit {

void Emitter::update(const Inst& inst) {
    llvm::Value* offset = operand(inst, 0).scalars[0];
    Values params;
    for (std::size_t k = 1; k < inst.operands.size(); ++k) params.push_back(load_element(inst.bits + k - 1, offset));
    for (std::size_t k = 1; k < inst.operands.size(); ++k) params.push_back(operand(inst, k));
    const Values results = block(inst.blocks[0], params);
    for (std::size_t k = 0; k < results.size(); ++k) store_element(inst.bits + k, offset, results[k].scalars[0]);
}

Value Emitter::load_element(std::size_t buffer, llvm::Value* offset) {
    const Scalar type = kernel_.buffers[buffer].scalar;
    llvm::Value* v = ir.CreateAlignedLoad(code_.memory_type(type), element_pointer(buffer, offset),
                                          llvm::Align(static_cast<std::uint64_t>(detail::size_of(type))));
    return Value::uniform(type, type == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
}

void Emitter::store_element(std::size_t buffer, llvm::Value* offset, llvm::Value* value) {
    const Scalar type = kernel_.buffers[buffer].scalar;
    if (type == Scalar::boolean) value = ir.CreateZExt(value, ir.getInt8Ty());
    ir.CreateAlignedStore(value, element_pointer(buffer, offset),
                          llvm::Align(static_cast<std::uint64_t>(detail::size_of(type))));
}

}  // namespace sinter::emit
