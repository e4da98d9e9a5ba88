// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/arithmetic.hpp"

#include "jit/emit/body/division.hpp"
#include "jit/emit/code/scalar_ops.hpp"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace sinter::emit {

using ir::Op;

namespace {

int bits_of_number(std::int64_t n) {
    return n == INT64_MIN ? 64 : 64 - static_cast<int>(llvm::countl_zero(static_cast<std::uint64_t>(n < 0 ? -n : n)));
}

/// A bound on an i64 result: its magnitude is below two to the power of this.
int result_bits(const Inst& inst, llvm::ArrayRef<const Value*> a) {
    auto bits = [&](std::size_t k) { return a[k]->bits; };
    switch (inst.op) {
        case Op::add:
        case Op::sub:
            return std::min(64, std::max(bits(0), bits(1)) + 1);
        case Op::mul:
            return std::min(64, bits(0) + bits(1));
        case Op::minimum:
        case Op::maximum:
            return std::max(bits(0), bits(1));
        case Op::select:
            return std::max(bits(1), bits(2));
        case Op::negate:
        case Op::abs:
        case Op::shift_right:
        case Op::div:
            return bits(0);
        case Op::rem:
            return std::min(bits(0), bits(1));
        case Op::wrap:
        case Op::symmetric:
        case Op::reflect:
            return bits(1);
        case Op::cast:
            return detail::is_float(a[0]->type) || detail::size_of(a[0]->type) == 8 ? 64 : 32;
        case Op::popcount:
        case Op::clz:
        case Op::ctz:
            return 7;
        default:
            return 64;
    }
}

bool is_small(llvm::ArrayRef<const Value*> args) {
    return std::all_of(args.begin(), args.end(),
                       [](const Value* v) { return v->type == Scalar::i64 ? v->bits <= 50 : v->type != Scalar::u64; });
}

}  // namespace

Value Arithmetic::constant(const Inst& inst) {
    Value v = Value::uniform(inst.type(), emit_constant(code_.ir, code_.type(inst.type()), inst.bits));
    if (inst.type() == Scalar::i64) v.bits = bits_of_number(static_cast<std::int64_t>(inst.bits));
    return v;
}

Value Arithmetic::pure(const Inst& inst, const Operands& operands) {
    if (auto affine = of_index(inst, operands)) return *affine;
    if (auto by_one = quotient(code_, inst, operands)) return *by_one;
    const bool contract = inst.bits != 0 && ir::is_contractible(inst);
    const ScalarOp op{inst.op, inst.type(), operands.back()->type, is_small(operands), contract};
    const auto divided = long_division(code_, op, operands);
    Value result = divided ? *divided : code_.apply(inst.type(), operands, [&](llvm::ArrayRef<llvm::Value*> a) {
        return emit_scalar(code_.ir, code_.machine, op, a);
    });
    if (inst.type() == Scalar::i64) result.bits = result_bits(inst, operands);
    return result;
}

std::optional<Value> Arithmetic::of_index(const Inst& inst, const Operands& operands) {
    auto result = affine_.emit(inst, operands);
    if (result && inst.type() == Scalar::i64) result->bits = result_bits(inst, operands);
    return result;
}

}  // namespace sinter::emit
