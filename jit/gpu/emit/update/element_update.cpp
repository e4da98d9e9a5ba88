// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/update/element_update.hpp"

#include "jit/gpu/emit/update/atomic_instruction.hpp"

namespace sinter::gpu {

namespace {

/// An element; if it is narrower than the words that can be exchanged, it is accessed in the word that contains it.
class Exchanged {
  public:
    Exchanged(const Point& point, ir::Scalar scalar, llvm::Value* element)
        : ir(point.ir()),
          bytes_(static_cast<unsigned>(detail::size_of(scalar))),
          element_(point.code.type(scalar)),
          bits_(ir.getIntNTy(8 * bytes_)),
          word_(is_narrow() ? ir.getInt32Ty() : bits_),
          pointer_(element) {
        if (is_narrow()) find_word(point);
    }

    llvm::Value* load() { return ir.CreateAlignedLoad(word_, pointer_, llvm::Align(is_narrow() ? 4 : bytes_), true); }
    llvm::Value* extract(llvm::Value* word) {
        llvm::Value* own = is_narrow() ? ir.CreateTrunc(ir.CreateLShr(word, shift_), bits_) : word;
        return element_->isIntegerTy(1) ? ir.CreateIsNotNull(own) : ir.CreateBitCast(own, element_);
    }
    llvm::Value* insert(llvm::Value* word, llvm::Value* v) {
        llvm::Value* own = element_->isIntegerTy(1) ? ir.CreateZExt(v, bits_) : ir.CreateBitCast(v, bits_);
        if (!is_narrow()) return own;
        return ir.CreateOr(ir.CreateAnd(word, others_), ir.CreateShl(ir.CreateZExt(own, word_), shift_));
    }
    /// The old value, and a flag that says if it has been exchanged.
    llvm::Value* exchange(llvm::Value* old, llvm::Value* next) {
        return ir.CreateAtomicCmpXchg(pointer_, old, next, {}, relaxed, relaxed);
    }

  private:
    bool is_narrow() const { return bytes_ < 4; }

    void find_word(const Point& point) {
        llvm::Value* address = ir.CreatePtrToInt(pointer_, ir.getInt64Ty());
        pointer_ =
            ir.CreateIntrinsic(llvm::Intrinsic::ptrmask, {ir.getPtrTy(), ir.getInt64Ty()}, {pointer_, point.code.i64(-4)});
        shift_ = ir.CreateTrunc(ir.CreateShl(ir.CreateAnd(address, 3), 3), ir.getInt32Ty());
        others_ = ir.CreateNot(ir.CreateShl(ir.getInt32((1u << 8 * bytes_) - 1), shift_));
    }

    llvm::IRBuilder<>& ir;
    unsigned bytes_;
    llvm::Type *element_, *bits_, *word_;
    llvm::Value *pointer_, *shift_ = nullptr, *others_ = nullptr;
};

}  // namespace

void emit_element_update(const Point& point, const Inst& inst) {
    llvm::IRBuilder<>& ir = point.ir();
    const ir::Scalar type = point.kernel.buffers[inst.bits].scalar;
    const Value value = point.emitter.scope.operand(inst, 1);
    llvm::Value* pointer = point.emitter.addresses.element(inst.bits, point.emitter.scope.operand(inst, 0).scalars[0]);
    if (const auto operation = point.schedule.find_update(inst)->atomic) {
        ir.CreateAtomicRMW(atomic_instruction(*operation, type), pointer, value.scalars[0], {}, relaxed);
        return;
    }
    Exchanged element(point, type, pointer);
    Few seen{element.load()};
    point.code.loop_while(seen, [&] {  // until no other thread has changed it in between
        llvm::Value* old = seen[0];
        const Value left = Value::uniform(type, element.extract(old));
        llvm::Value* next = point.emitter.block(inst.blocks[0], {left, value})[0].scalars[0];
        llvm::Value* done = element.exchange(old, element.insert(old, next));
        seen[0] = ir.CreateExtractValue(done, 0);
        return ir.CreateNot(ir.CreateExtractValue(done, 1));
    });
}

}  // namespace sinter::gpu
