// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/memory/addresses.hpp"

#include "jit/emit/llvm/metadata.hpp"
#include "schedule/tasks.hpp"
#include "support/check.hpp"

namespace sinter::emit {

llvm::Value* Addresses::buffer(std::size_t index) {
    llvm::IRBuilder<>& ir = code_.ir;
    if (buffers_.empty()) buffers_.resize(kernel_.buffers.size());
    if (!buffers_[index]) {
        if (kernel_.buffers[index].local) return buffers_[index] = local_buffer(index);
        llvm::Value* table = fields_.argument(offsetof(Arguments, buffers), ir.getPtrTy());
        buffers_[index] = code_.pure(
            {}, [&] { return invariant(ir.CreateLoad(ir.getPtrTy(), ir.CreateConstGEP1_64(ir.getPtrTy(), table, index))); });
    }
    return buffers_[index];
}

/// The buffer follows the local buffers before it.
llvm::Value* Addresses::local_buffer(std::size_t index) {
    llvm::IRBuilder<>& ir = code_.ir;
    llvm::Value* local = fields_.tile(offsetof(Tile, local));
    return code_.pure({}, [&] {
        llvm::Value* base = ir.CreateIntToPtr(local, ir.getPtrTy());
        llvm::Value* offset = code_.i64(0);
        for (std::size_t k = 0; k < index; ++k) {
            const lower::Buffer& before = kernel_.buffers[k];
            if (!before.local) continue;
            const std::int64_t bytes_each = local_lanes_ * detail::size_of(before.scalar);
            llvm::Value* bytes = code_.mul(fields_.size(before.elements), code_.i64(bytes_each));
            bytes = ir.CreateAnd(code_.add(bytes, code_.i64(schedule::local_alignment - 1)),
                                 code_.i64(-schedule::local_alignment));
            offset = code_.add(offset, bytes);
        }
        return ir.CreateInBoundsGEP(ir.getInt8Ty(), base, offset);
    });
}

llvm::LoadInst* Addresses::unchanging(std::size_t buffer, llvm::LoadInst* load) const {
    return kernel_.buffers[buffer].local || lower::is_overwritten(kernel_, buffer) ? load : invariant(load);
}

llvm::Value* Addresses::element(std::size_t index, llvm::Value* offset) {
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(offset);
    if (in_register_tile_ && sum && sum->getOpcode() == llvm::Instruction::Add) return of_sum(index, sum);
    return code_.ir.CreateInBoundsGEP(code_.memory_type(type(index)), buffer(index), offset);
}

/// Every row has a pointer that does not change in the loop that provides the other summand; the pointer may lie outside the
/// buffer.
llvm::Value* Addresses::of_sum(std::size_t index, llvm::BinaryOperator* sum) {
    llvm::IRBuilder<>& ir = code_.ir;
    llvm::Type* element = code_.memory_type(type(index));
    llvm::Value *first = sum->getOperand(0), *then = sum->getOperand(1);
    if (code_.depth_of(first) > code_.depth_of(then)) std::swap(first, then);
    llvm::Value *base = buffer(index), *row = code_.pure({first}, [&] { return ir.CreateGEP(element, base, first); });
    return ir.CreateGEP(element, row, then);
}

/// Parts at constant distances share one address and differ in its displacement, which costs machine instructions nothing.
llvm::Value* Addresses::part(std::size_t index, const Value& offset, int p, std::int64_t lane_shift) {
    const int column = p % code_.lanes.columns;
    auto* step = llvm::dyn_cast_or_null<llvm::ConstantInt>(offset.part_stride);
    llvm::Value* pointer = element(index, code_.scalar(offset, step ? p - column : p));
    const std::int64_t shift = (step ? column * step->getSExtValue() : 0) + lane_shift;
    if (shift == 0) return pointer;
    return code_.ir.CreateInBoundsGEP(code_.memory_type(type(index)), pointer, code_.i64(shift));
}

llvm::Value* Addresses::local_vector(std::size_t index, const Value& offset, int p) {
    check(!code_.lanes.masked() && !offset.is_varying(), "rows are kept element by element");
    llvm::Value* first = code_.ir.CreateMul(code_.scalar(offset, p), code_.i64(local_lanes_));
    return code_.ir.CreateInBoundsGEP(code_.memory_type(type(index)), buffer(index), first);
}

}  // namespace sinter::emit
