// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, stores, and what the card has no instruction for. A failed check is recorded and the thread goes on: others may
// wait for it.
#include "jit/gpu/device/failure.hpp"
#include "jit/gpu/emit/loops.hpp"
#include "jit/gpu/emit/remainder.hpp"

#include <algorithm>

namespace sinter::gpu {

Value Loops::check_index(const Inst& inst) {
    const Value &index = e_.operand(inst, 0), &extent = e_.operand(inst, 1);
    llvm::Value *i = index.scalars[0], *n = extent.scalars[0];
    llvm::Value* bad = ir.CreateICmpUGE(i, n);
    report(inst, bad, i, n);
    return Value::uniform(ir::Scalar::i64, ir.CreateSelect(bad, c_.i64(0), i), std::min(index.bits, extent.bits));
}

Value Loops::check_divisor(const Inst& inst) {
    const Value& divisor = e_.operand(inst, 0);
    llvm::Value *d = divisor.scalars[0], *bad = ir.CreateIsNull(d);
    report(inst, bad, c_.i64(0), c_.i64(0));
    return Value::uniform(divisor.type, ir.CreateSelect(bad, llvm::ConstantInt::get(d->getType(), 1), d));
}

void Loops::report(const Inst& inst, llvm::Value* bad, llvm::Value* index, llvm::Value* extent) {
    llvm::Function* function = report_function(*ir.GetInsertBlock()->getModule());
    Few none;
    c_.when(
        bad, none,
        [&] {
            llvm::Value* check = ir.getInt32(static_cast<std::uint32_t>(inst.bits) + 1);
            ir.CreateCall(function, {failure_, point, element_ ? element_ : c_.i64(0), check, index, extent});
        },
        false);
}

/// Outside of a shared loop all threads of a team have the same value.
void Loops::store(const Inst& inst) {
    auto store = [&] { e_.store_element(inst.bits, e_.operand(inst, 0).scalars[0], e_.operand(inst, 1).scalars[0]); };
    if (team && !element_) return by_first(store);
    store();
}

/// Of floats; those of 16 bits are done in 32.
std::optional<Values> Loops::remainder(const Inst& inst) {
    if (!detail::is_float(inst.type())) return std::nullopt;
    llvm::Value *x = e_.operand(inst, 0).scalars[0], *y = e_.operand(inst, 1).scalars[0];
    if (inst.type() != ir::Scalar::f16) return Values{Value::uniform(inst.type(), emit_remainder(c_, x, y))};
    auto wide = [&](llvm::Value* v) { return ir.CreateFPExt(v, ir.getFloatTy()); };
    return Values{Value::uniform(inst.type(), ir.CreateFPTrunc(emit_remainder(c_, wide(x), wide(y)), ir.getHalfTy()))};
}

}  // namespace sinter::gpu
