// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read, combine, write: one point after another, or the lanes' own elements.
#include "jit/emit/emitter.hpp"

namespace sinter::emit {

void Emitter::update(const Inst& inst) {
    if (code_.lanes.vector()) return update_neighbours(inst);
    llvm::Value* offset = operand(inst, 0).scalars[0];
    Values params;
    for (std::size_t k = 1; k < inst.operands.size(); ++k) params.push_back(load_element(inst.bits + k - 1, offset));
    for (std::size_t k = 1; k < inst.operands.size(); ++k) params.push_back(operand(inst, k));
    const Values results = block(inst.blocks[0], params);
    for (std::size_t k = 0; k < results.size(); ++k) store_element(inst.bits + k, offset, results[k].scalars[0]);
}

/// Lane i updates element i.
void Emitter::update_neighbours(const Inst& inst) {
    const Value offset = operand(inst, 0);
    Values params;
    for (std::size_t k = 1; k < inst.operands.size(); ++k) params.push_back(load_neighbours(inst.bits + k - 1, offset));
    for (std::size_t k = 1; k < inst.operands.size(); ++k) params.push_back(operand(inst, k));
    const Values results = block(inst.blocks[0], params);
    for (std::size_t k = 0; k < results.size(); ++k) {
        const bool boolean = results[k].type == Scalar::boolean;
        for (int p = 0; p < code_.lanes.parts(); ++p) {
            llvm::Value* v = code_.vector(results[k], p);
            store_part(inst.bits + k, offset, boolean ? ir.CreateZExt(v, code_.vector_of(ir.getInt8Ty())) : v, p);
        }
    }
}

Value Emitter::load_neighbours(std::size_t buffer, const Value& offset) {
    const Scalar type = kernel_.buffers[buffer].scalar;
    const llvm::Align align(static_cast<std::uint64_t>(detail::size_of(type)));
    llvm::Type* lanes = code_.vector_of(code_.memory_type(type));
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* from = part_pointer(buffer, offset, p, 0);
        llvm::Value* mask = code_.mask(p);
        llvm::Value* v = nullptr;
        if (mask)
            v = ir.CreateMaskedLoad(lanes, from, align, mask, llvm::Constant::getNullValue(lanes));
        else
            v = ir.CreateAlignedLoad(lanes, from, align);
        parts.push_back(type == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
    }
    return Value::varying(type, parts);
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
