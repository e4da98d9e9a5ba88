// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/update.hpp"

#include "ir/neutral.hpp"
#include "jit/gpu/emit/bins.hpp"
#include "jit/gpu/emit/loops.hpp"
#include "jit/gpu/emit/notes.hpp"
#include "lower/locals.hpp"
#include "lower/loops.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

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

/// Finds the only update on the way of each point through blocks that it executes once.
class Capture {
  public:
    /// False if there is another one.
    bool find(const lower::Block& block, std::size_t level, bool once) {
        level += block.params.size();
        for (const Inst& inst : block.insts) {
            if (inst.op == Op::update && (update || !once)) return false;
            if (inst.op == Op::update) update = &inst, level_of_operator = level;
            for (const lower::Block& inner : inst.blocks)
                if (inst.op != Op::update && !find(inner, level, once && inst.op == Op::cond)) return false;
            level += inst.types.size();
        }
        return true;
    }

    const Inst* update = nullptr;
    std::size_t level_of_operator = 0;
};

bool may_fail(const lower::Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(), [](const Inst& inst) {
        return inst.op == Op::check_divisor || std::any_of(inst.blocks.begin(), inst.blocks.end(), may_fail);
    });
}

bool is_extremum(Op op) { return op == Op::minimum || op == Op::maximum || op == Op::fmin || op == Op::fmax; }

}  // namespace

bool is_atomic(const lower::Kernel& kernel, const Inst& update) {
    const ir::Scalar type = kernel.buffers[update.bits].scalar;
    if (update.operands.size() != 2) return false;
    if (!detail::is_float(type)) return true;
    const auto op = single_operation(update.blocks[0]);
    return op && is_extremum(*op);
}

std::optional<AtomicRMWInst::BinOp> atomic_operation(const lower::Kernel& kernel, const Inst& update) {
    const ir::Scalar type = kernel.buffers[update.bits].scalar;
    const auto op = single_operation(update.blocks[0]);
    if (!op || detail::is_float(type) || detail::size_of(type) < 4) return std::nullopt;
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

std::optional<Captured> captured_update(const lower::Kernel& kernel) {
    Capture capture;
    if (!capture.find(kernel.body, 0, true) || !capture.update) return std::nullopt;
    lower::Block combine = capture.update->blocks[0];
    const std::size_t level = capture.level_of_operator;
    if (!lower::stands_alone(combine, level) || may_fail(combine)) return std::nullopt;
    lower::shift(combine, level, -static_cast<std::ptrdiff_t>(level));
    Captured result{capture.update, {}, false, capture.update->bits};
    lower::Inst& fold = result.fold;
    fold.op = Op::reduce;
    fold.bits = lower::reduce_bits(0, true);
    for (std::size_t k = 1; k < capture.update->operands.size(); ++k)
        fold.types.push_back(kernel.buffers[result.buffer + k - 1].scalar);
    result.has_neutral = ir::neutral_elements(combine, fold.types.size()).has_value();
    fold.blocks = {{}, std::move(combine)};
    return result;
}

std::int64_t Captured::bytes() const {
    std::int64_t bytes = has_neutral ? 0 : 1;
    for (lower::Scalar type : fold.types) bytes += detail::size_of(type);
    return bytes;
}

std::int64_t copies_of(const Captured& captured, std::int64_t bins) {
    const std::int64_t most = bins_bytes / (captured.bytes() * std::max<std::int64_t>(1, bins));
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::min(most, block_warps))));
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
    if (const auto operation = atomic_operation(kernel_, inst)) {
        ir.CreateAtomicRMW(*operation, pointer, value.scalars[0], {}, order);
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
