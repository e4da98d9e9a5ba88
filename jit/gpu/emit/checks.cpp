// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/checks.hpp"

#include "jit/gpu/emit/report.hpp"

#include <algorithm>

namespace sinter::gpu {

namespace {

void report(const Point& point, const Inst& inst, llvm::Value* bad, llvm::Value* index, llvm::Value* extent) {
    llvm::IRBuilder<>& ir = point.ir();
    llvm::Function* function = report_function(*ir.GetInsertBlock()->getModule());
    Few none;
    point.code.when(
        bad, none,
        [&] {
            llvm::Value* check = ir.getInt32(static_cast<std::uint32_t>(inst.bits) + 1);
            llvm::Value* element = point.element ? point.element : point.code.i64(0);
            ir.CreateCall(function, {point.failure, point.number, element, check, index, extent});
        },
        false);
}

}  // namespace

Value emit_check_index(const Point& point, const Inst& inst) {
    const Value &index = point.emitter.scope.operand(inst, 0), &extent = point.emitter.scope.operand(inst, 1);
    llvm::Value *i = index.scalars[0], *n = extent.scalars[0];
    llvm::Value* bad = point.ir().CreateICmpUGE(i, n);
    report(point, inst, bad, i, n);
    llvm::Value* checked = point.ir().CreateSelect(bad, point.code.i64(0), i);
    return Value::uniform(ir::Scalar::i64, checked, std::min(index.bits, extent.bits));
}

Value emit_check_divisor(const Point& point, const Inst& inst) {
    const Value& divisor = point.emitter.scope.operand(inst, 0);
    llvm::Value *d = divisor.scalars[0], *bad = point.ir().CreateIsNull(d);
    report(point, inst, bad, point.code.i64(0), point.code.i64(0));
    return Value::uniform(divisor.type, point.ir().CreateSelect(bad, llvm::ConstantInt::get(d->getType(), 1), d));
}

Value emit_expect(const Point& point, const Inst& inst) {
    const Value& condition = point.emitter.scope.operand(inst, 0);
    llvm::Value* number = point.emitter.scope.operand(inst, 1).scalars[0];
    report(point, inst, point.ir().CreateNot(condition.scalars[0]), number, point.code.i64(0));
    return condition;
}

}  // namespace sinter::gpu
