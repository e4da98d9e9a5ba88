// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/update.hpp"

#include "jit/gpu/emit/bins.hpp"
#include "jit/gpu/emit/loops.hpp"
#include "jit/gpu/emit/notes.hpp"
#include "support/check.hpp"

#include <tuple>

namespace sinter::gpu {

using ir::Op;
using llvm::AtomicRMWInst;

AtomicRMWInst::BinOp atomic_instruction(Op op, lower::Scalar type) {
    const bool is_signed = detail::is_signed_integer(type);
    switch (op) {
        case Op::add:
            return AtomicRMWInst::Add;
        case Op::minimum:
            return is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
        case Op::maximum:
            return is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
        case Op::bit_and:
            return AtomicRMWInst::And;
        case Op::bit_or:
            return AtomicRMWInst::Or;
        case Op::bit_xor:
            return AtomicRMWInst::Xor;
        default:
            fail_check("no atomic instruction does this", location::current());
    }
}

void Loops::update(const Inst& inst) {
    if (bins) return bins->update(e_, inst);
    if (notes) return notes->update(e_, inst, point);
    if (team && !element_) return by_first([&] { update_element(inst); });
    update_element(inst);
}

/// The word that contains an element, and where in it.
std::pair<llvm::Value*, llvm::Value*> Loops::containing_word(llvm::Value* pointer) {
    llvm::Value* address = ir.CreatePtrToInt(pointer, ir.getInt64Ty());
    llvm::Value* word =
        ir.CreateIntrinsic(llvm::Intrinsic::ptrmask, {ir.getPtrTy(), ir.getInt64Ty()}, {pointer, c_.i64(-4)});
    return {word, ir.CreateTrunc(ir.CreateShl(ir.CreateAnd(address, 3), 3), ir.getInt32Ty())};
}

void Loops::update_element(const Inst& inst) {
    constexpr auto order = llvm::AtomicOrdering::Monotonic;
    const ir::Scalar type = kernel_.buffers[inst.bits].scalar;
    const Value value = e_.operand(inst, 1);
    llvm::Value* pointer = e_.element_pointer(inst.bits, e_.operand(inst, 0).scalars[0]);
    if (const auto operation = schedule_.find_update(inst)->atomic) {
        ir.CreateAtomicRMW(atomic_instruction(*operation, type), pointer, value.scalars[0], {}, order);
        return;
    }
    const auto bytes = static_cast<unsigned>(detail::size_of(type));
    const bool narrow = bytes < 4;
    llvm::Type *element = c_.type(type), *bits = ir.getIntNTy(8 * bytes), *word = ir.getIntNTy(narrow ? 32 : 8 * bytes);
    const bool boolean = element->isIntegerTy(1);
    llvm::Value *shift = nullptr, *others = nullptr;
    if (narrow) {
        std::tie(pointer, shift) = containing_word(pointer);
        others = ir.CreateNot(ir.CreateShl(ir.getInt32((1u << 8 * bytes) - 1), shift));
    }
    auto extract = [&](llvm::Value* all) {
        llvm::Value* own = narrow ? ir.CreateTrunc(ir.CreateLShr(all, shift), bits) : all;
        return boolean ? ir.CreateIsNotNull(own) : ir.CreateBitCast(own, element);
    };
    auto insert = [&](llvm::Value* all, llvm::Value* v) {
        llvm::Value* own = boolean ? ir.CreateZExt(v, bits) : ir.CreateBitCast(v, bits);
        return narrow ? ir.CreateOr(ir.CreateAnd(all, others), ir.CreateShl(ir.CreateZExt(own, word), shift)) : own;
    };
    Few seen{ir.CreateAlignedLoad(word, pointer, llvm::Align(narrow ? 4 : bytes), true)};
    c_.loop_while(seen, [&] {  // until nobody has changed it in between
        llvm::Value* old = seen[0];
        const Value left = Value::uniform(type, extract(old));
        llvm::Value* next = e_.block(inst.blocks[0], {left, value})[0].scalars[0];
        llvm::Value* done = ir.CreateAtomicCmpXchg(pointer, old, insert(old, next), {}, order, order);
        seen[0] = ir.CreateExtractValue(done, 0);
        return ir.CreateNot(ir.CreateExtractValue(done, 1));
    });
}

}  // namespace sinter::gpu
