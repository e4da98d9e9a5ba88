// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/update/scattered.hpp"

#include "jit/gpu/emit/update/atomic_instruction.hpp"

namespace sinter::gpu {

namespace {

constexpr unsigned word_bits = 32;

}  // namespace

void Scattered::store(const card::Meeting& meeting) {
    meeting.claims ? store_claimed(meeting) : store_relaxed(*meeting.store);
}

void Scattered::store_relaxed(const Inst& inst) {
    llvm::IRBuilder<>& ir = point_.ir();
    const lower::Scalar type = point_.kernel.buffers[inst.bits].scalar;
    const auto bytes = static_cast<unsigned>(detail::size_of(type));
    llvm::Value* value = point_.emitter.scope.operand(inst, 1).scalars[0];
    llvm::Type* word = ir.getIntNTy(8 * bytes);
    value = type == lower::Scalar::boolean ? ir.CreateZExt(value, word) : ir.CreateBitCast(value, word);
    llvm::Value* to = point_.emitter.addresses.element(inst.bits, offset(inst).scalars[0]);
    llvm::StoreInst* store = ir.CreateAlignedStore(value, to, llvm::Align(bytes));
    store->setAtomic(relaxed, ir.getContext().getOrInsertSyncScopeID("device"));
}

/// The stores that follow the first one may be in another block of code, which it dominates.
void Scattered::store_claimed(const card::Meeting& meeting) {
    llvm::IRBuilder<>& ir = point_.ir();
    if (meeting.is_first) {
        owns_ = point_.code.slot(ir.getInt1Ty());
        ir.CreateStore(claim(claims[*meeting.claims], offset(*meeting.store).scalars[0]), owns_);
    }
    Few none;
    point_.code.when(ir.CreateLoad(ir.getInt1Ty(), owns_), none, [&] {
        point_.emitter.memory.store_element(meeting.store->bits, offset(*meeting.store).scalars[0],
                                            point_.emitter.scope.operand(*meeting.store, 1).scalars[0]);
    });
}

/// True for the first thread alone.
llvm::Value* Scattered::claim(llvm::Value* bits, llvm::Value* offset) {
    llvm::IRBuilder<>& ir = point_.ir();
    llvm::Value* word = ir.CreateInBoundsGEP(ir.getInt32Ty(), bits, ir.CreateUDiv(offset, point_.code.i64(word_bits)));
    llvm::Value* place = ir.CreateAnd(ir.CreateTrunc(offset, ir.getInt32Ty()), word_bits - 1);
    llvm::Value* bit = ir.CreateShl(ir.getInt32(1), place);
    llvm::Value* before = ir.CreateAtomicRMW(llvm::AtomicRMWInst::Or, word, bit, {}, relaxed);
    return ir.CreateIsNull(ir.CreateAnd(before, bit));
}

}  // namespace sinter::gpu
