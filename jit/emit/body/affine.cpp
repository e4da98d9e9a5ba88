// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/affine.hpp"

#include "jit/emit/code/scalar_ops.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;

namespace {

bool is_zero(llvm::Value* stride) {
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(stride);
    return constant && constant->isZero();
}

}  // namespace

Value affine_sum(Code& code, const Value& a, const Value& b, bool subtract) {
    auto combine = [&](llvm::Value* x, llvm::Value* y) -> llvm::Value* {
        if (!y) return x;
        if (!x) return subtract ? code.sub(code.i64(0), y) : y;
        return subtract ? code.sub(x, y) : code.add(x, y);
    };
    Value result = Value::uniform(Scalar::i64, nullptr);
    result.scalars.clear();
    for (std::size_t r = 0; r < std::max(a.scalars.size(), b.scalars.size()); ++r)
        result.scalars.push_back(
            combine(a.scalars[a.scalars.size() == 1 ? 0 : r], b.scalars[b.scalars.size() == 1 ? 0 : r]));
    result.lane_stride = combine(a.lane_stride, b.lane_stride);
    result.part_stride = combine(a.part_stride, b.part_stride);
    auto* stride = llvm::dyn_cast_or_null<llvm::ConstantInt>(result.lane_stride);
    auto* part = llvm::dyn_cast_or_null<llvm::ConstantInt>(result.part_stride);
    if (stride && stride->isZero() && part && part->isZero()) result.lane_stride = result.part_stride = nullptr;
    return result;
}

std::optional<Value> Affine::emit(const Inst& inst, const Operands& operands) {
    const Value& a = *operands.front();
    const Value& b = *operands.back();
    if (a.is_varying() || b.is_varying() || !(a.is_affine() || b.is_affine())) return std::nullopt;
    switch (inst.op) {
        case Op::add:
            return affine_sum(code_, a, b);
        case Op::sub:
            return affine_sum(code_, a, b, true);
        case Op::negate:
            return affine_sum(code_, Value::uniform(Scalar::i64, code_.i64(0), 0), a, true);
        case Op::mul:
            return product(a, b);
        case Op::div:
        case Op::rem:
            return division(inst, a, b);
        case Op::cast:
            return cast(inst, a);
        case Op::inside:
            return a.is_affine() ? inside(a, b) : std::nullopt;
        case Op::equal:
        case Op::not_equal:
        case Op::less:
        case Op::less_equal:
        case Op::greater:
        case Op::greater_equal:
            return comparison(inst.op, a, b);
        default:
            return std::nullopt;
    }
}

/// Nothing if both factors differ between lanes, or if the stride would differ between rows.
std::optional<Value> Affine::product(const Value& a, const Value& b) {
    const Value& index = a.is_affine() ? a : b;
    const Value& factor = a.is_affine() ? b : a;
    if (!factor.is_uniform()) return std::nullopt;
    Value result = index;
    for (auto& scalar : result.scalars) scalar = code_.mul(scalar, factor.scalars[0]);
    result.lane_stride = code_.mul(index.lane_stride, factor.scalars[0]);
    result.part_stride = code_.mul(index.part_stride, factor.scalars[0]);
    return result;
}

/// The scalar is converted, and the lanes are added in the target type: exact for small indices.
std::optional<Value> Affine::cast(const Inst& inst, const Value& x) {
    auto* stride = llvm::dyn_cast<llvm::ConstantInt>(x.lane_stride);
    const Scalar to = inst.type();
    if (!stride || to == Scalar::boolean || to == Scalar::f16) return std::nullopt;
    if (detail::is_float(to) && (x.bits > 51 || std::abs(stride->getSExtValue()) > 1024)) return std::nullopt;
    const std::int64_t step = stride->getSExtValue();
    llvm::Type* scalar_type = detail::is_float(to) ? ir.getDoubleTy() : code_.type(to);
    llvm::Type* vector_type = code_.vector_of(scalar_type);
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* base = code_.scalar(x, p);
        base = code_.pure({base}, [&] {
            return detail::is_float(to) ? ir.CreateSIToFP(base, scalar_type) : ir.CreateTruncOrBitCast(base, scalar_type);
        });
        llvm::Value* all = code_.splat(base);
        parts.push_back(code_.pure({all}, [&]() -> llvm::Value* {
            if (!detail::is_float(to)) return ir.CreateAdd(all, code_.lane_numbers(scalar_type, step));
            llvm::Constant* lanes = llvm::ConstantFoldCastInstruction(
                llvm::Instruction::SIToFP, code_.lane_numbers(ir.getInt64Ty(), step), vector_type);
            llvm::Value* sum = ir.CreateFAdd(all, lanes);
            return ir.CreateFPCast(sum, code_.vector_of(code_.type(to)));
        }));
    }
    return Value::varying(to, parts);
}

/// Division by a divisor that all lanes share is multiplication by its reciprocal. For |a| < 2^51, (|a| + 1/2) / b is at
/// least 1 / 2b away from any integer, and the rounding errors of reciprocal and product together are smaller than that:
/// truncated, the product is the quotient.
std::optional<Value> Affine::division(const Inst& inst, const Value& a, const Value& b) {
    auto* stride = llvm::dyn_cast_or_null<llvm::ConstantInt>(a.lane_stride);
    if (!stride || std::abs(stride->getSExtValue()) > 1024 || !b.is_uniform() || a.bits > 50 || b.bits > 50)
        return std::nullopt;
    llvm::Type* f64 = ir.getDoubleTy();
    llvm::Value *divisor = b.scalars[0], *one = llvm::ConstantFP::get(f64, 1);
    llvm::Value* wide = code_.pure({divisor}, [&] { return ir.CreateSIToFP(divisor, f64); });
    llvm::Value* inverse = code_.splat(code_.pure({wide}, [&] { return ir.CreateFDiv(one, wide); }));
    llvm::Value* divisors = code_.splat(wide);
    llvm::Type* vector = code_.vector_of(f64);
    llvm::Constant* lanes = llvm::ConstantFoldCastInstruction(
        llvm::Instruction::SIToFP, code_.lane_numbers(ir.getInt64Ty(), stride->getSExtValue()), vector);
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* base = code_.scalar(a, p);
        base = code_.pure({base}, [&] { return ir.CreateSIToFP(base, f64); });
        llvm::Value* all = code_.splat(base);
        parts.push_back(code_.pure({all, inverse}, [&] {
            llvm::Value* numbers = ir.CreateFAdd(all, lanes);
            llvm::Value* half =
                ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::ConstantFP::get(vector, 0.5), numbers);
            llvm::Value* product = ir.CreateFMul(ir.CreateFAdd(numbers, half), inverse);
            llvm::Value* quotient = ir.CreateIntrinsic(llvm::Intrinsic::trunc, {vector}, {product});
            if (inst.op == Op::rem) quotient = ir.CreateFSub(numbers, ir.CreateFMul(quotient, divisors));
            return integer_from_double(ir, quotient, code_.vector_of(ir.getInt64Ty()));
        }));
    }
    return Value::varying(Scalar::i64, parts);
}

/// 0 <= lane + base and lane + base < n.
std::optional<Value> Affine::inside(const Value& index, const Value& extent) {
    const Value zero = Value::uniform(Scalar::i64, code_.i64(0), 0);
    auto low = comparison(Op::greater_equal, index, zero), high = comparison(Op::less, index, extent);
    if (!low || !high) return std::nullopt;
    for (std::size_t p = 0; p < low->parts.size(); ++p) low->parts[p] = ir.CreateAnd(low->parts[p], high->parts[p]);
    return low;
}

/// lane + base < n  <=>  lane < n - base, and the right side may be clamped to the lanes' range: no i64 vectors.
std::optional<Value> Affine::comparison(ir::Op op, const Value& a, const Value& b) {
    const bool index_first = a.is_affine() && !is_zero(a.lane_stride);
    const Value& index = index_first ? a : b;
    const Value& bound = index_first ? b : a;
    if (!index.is_affine()) return std::nullopt;
    auto* stride = llvm::dyn_cast<llvm::ConstantInt>(index.lane_stride);
    if (bound.is_varying() || (bound.is_affine() && !is_zero(bound.lane_stride)) || !stride || !stride->isOne() ||
        index.bits > 62 || bound.bits > 62)
        return std::nullopt;
    llvm::Type* lane = ir.getIntNTy(static_cast<unsigned>(code_.lane_bits()));
    Few parts;
    const bool wide = lane->getIntegerBitWidth() == 64;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        if (wide) {  // nothing is gained by narrow numbers; the index is the same for all comparisons
            llvm::Value* left = ir.CreateAdd(code_.lane_numbers(lane), code_.splat(code_.scalar(index, p)));
            llvm::Value* right = code_.splat(code_.scalar(bound, p));
            if (!index_first) std::swap(left, right);
            parts.push_back(emit_scalar(ir, code_.machine, {op, Scalar::boolean, Scalar::i64}, {left, right}));
            continue;
        }
        llvm::Value* difference = code_.sub(code_.scalar(bound, p), code_.scalar(index, p));
        llvm::Value* clamped = code_.pure({difference}, [&] {
            llvm::Value* high = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, difference, code_.i64(code_.lanes.width));
            return ir.CreateTrunc(ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, high, code_.i64(-1)), lane);
        });
        llvm::Value *left = code_.lane_numbers(lane), *right = code_.splat(clamped);
        if (!index_first) std::swap(left, right);
        parts.push_back(emit_scalar(ir, code_.machine, {op, Scalar::boolean, Scalar::i64}, {left, right}));
    }
    return Value::varying(Scalar::boolean, parts);
}

}  // namespace sinter::emit
