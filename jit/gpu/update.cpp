// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/update.hpp"

#include "jit/gpu/loops.hpp"

namespace sinter::gpu {

using ir::Op;
using llvm::AtomicRMWInst;

namespace {

/// The operation of {left right -> op left right}.
std::optional<Op> single_operation(const lower::Block& combine) {
    if (combine.insts.size() != 1 || combine.results.size() != 1) return std::nullopt;
    const Inst& inst = combine.insts[0];
    if (inst.operands.size() != 2 || inst.operands[0] == inst.operands[1]) return std::nullopt;
    const std::size_t result = std::max(inst.operands[0].index, inst.operands[1].index) + 1;
    if (combine.results[0].index != result) return std::nullopt;
    return inst.op;
}

bool is_extremum(Op op) { return op == Op::minimum || op == Op::maximum || op == Op::fmin || op == Op::fmax; }

}  // namespace

bool is_atomic(const lower::Kernel& kernel, const Inst& update) {
    const ir::Scalar type = kernel.buffers[update.bits].scalar;
    if (update.operands.size() != 2 || detail::size_of(type) < 4) return false;
    if (!detail::is_float(type)) return true;
    const auto op = single_operation(update.blocks[0]);
    return op && is_extremum(*op);
}

std::optional<AtomicRMWInst::BinOp> atomic_operation(const lower::Kernel& kernel, const Inst& update) {
    const ir::Scalar type = kernel.buffers[update.bits].scalar;
    const auto op = single_operation(update.blocks[0]);
    if (!op || detail::is_float(type)) return std::nullopt;
    const bool is_signed = detail::is_signed_integer(type);
    switch (*op) {
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
            return std::nullopt;
    }
}

void Loops::update(const Inst& inst) {
    if (team && !element_) return by_first([&] { update_element(inst); });
    update_element(inst);
}

void Loops::update_element(const Inst& inst) {
    constexpr auto order = llvm::AtomicOrdering::Monotonic;
    const ir::Scalar type = kernel_.buffers[inst.bits].scalar;
    const Value value = e_.operand(inst, 1);
    llvm::Value* pointer = e_.element_pointer(inst.bits, e_.operand(inst, 0).scalars[0]);
    if (const auto operation = atomic_operation(kernel_, inst)) {
        ir.CreateAtomicRMW(*operation, pointer, value.scalars[0], {}, order);
        return;
    }
    llvm::Type *word = ir.getIntNTy(static_cast<unsigned>(8 * detail::size_of(type))), *element = c_.type(type);
    Few seen{ir.CreateAlignedLoad(word, pointer, llvm::Align(static_cast<std::uint64_t>(detail::size_of(type))), true)};
    c_.loop_while(seen, [&] {  // until nobody has changed it in between
        llvm::Value* old = seen[0];
        const Value left = Value::uniform(type, ir.CreateBitCast(old, element));
        llvm::Value* next = e_.block(inst.blocks[0], {left, value})[0].scalars[0];
        llvm::Value* done = ir.CreateAtomicCmpXchg(pointer, old, ir.CreateBitCast(next, word), {}, order, order);
        seen[0] = ir.CreateExtractValue(done, 0);
        return ir.CreateNot(ir.CreateExtractValue(done, 1));
    });
}

}  // namespace sinter::gpu
