// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/checks.hpp"

#include <llvm/ADT/STLExtras.h>

namespace sinter::emit {

void Checks::fail_if(llvm::Value* bad, llvm::function_ref<void()> report) {
    Few none;
    code_.when(
        bad, none,
        [&] {
            report();
            ir.CreateBr(code_.leave());
            code_.enter(code_.block());  // never reached
        },
        false);
}

void Checks::report(const Inst& inst, llvm::Value* first, llvm::Value* stride, llvm::Value* count, llvm::Value* extent) {
    llvm::Type *i64 = ir.getInt64Ty(), *pointer = ir.getPtrTy();
    auto* type = llvm::FunctionType::get(ir.getVoidTy(), {pointer, ir.getInt32Ty(), i64, i64, i64, i64}, false);
    llvm::Value* target = fields_.argument(offsetof(Arguments, report), pointer);
    llvm::Value* slot = fields_.argument(offsetof(Arguments, error), pointer);
    auto* call = ir.CreateCall(type, target,
                               {slot, ir.getInt32(static_cast<std::uint32_t>(inst.bits)), first, stride, count, extent});
    call->setDoesNotThrow();
}

void Checks::report_lanes(const Inst& inst, llvm::ArrayRef<llvm::Value*> bad, const Value* index, const Value* extent) {
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Type* bits = ir.getIntNTy(static_cast<unsigned>(code_.lanes.width));
        llvm::Value* set = ir.CreateZExt(ir.CreateBitCast(bad[static_cast<std::size_t>(p)], bits), ir.getInt64Ty());
        llvm::Value* lane = ir.CreateIntrinsic(llvm::Intrinsic::cttz, {ir.getInt64Ty()}, {set, ir.getFalse()});
        lane = ir.CreateAnd(lane, code_.i64(code_.lanes.width - 1));
        llvm::Value* i = index ? ir.CreateExtractElement(code_.vector(*index, p), lane) : code_.i64(0);
        llvm::Value* n = extent ? ir.CreateExtractElement(code_.vector(*extent, p), lane) : code_.i64(0);
        Few none;  // a divisor has no index: only parts with a bad lane are reported
        code_.when(ir.CreateIsNotNull(set), none, [&] { report(inst, i, code_.i64(0), code_.i64(1), n); });
    }
}

bool Checks::in_line(const Value& index) const {
    auto *lane = llvm::dyn_cast<llvm::ConstantInt>(index.lane_stride),
         *part = llvm::dyn_cast<llvm::ConstantInt>(index.part_stride);
    if (code_.lanes.columns == 1 || !addresses_.shares_locals()) return true;
    return lane && part && part->getSExtValue() == lane->getSExtValue() * code_.lanes.width;
}

Value Checks::index(const Inst& inst, const Value& index, const Value& extent) {
    Value result = index;
    result.bits = std::min(index.bits, extent.bits);
    if (index.is_lane_uniform() && extent.is_lane_uniform()) {
        for (std::size_t r = 0; r < std::max(index.scalars.size(), extent.scalars.size()); ++r) {
            llvm::Value* i = index.scalars[index.scalars.size() == 1 ? 0 : r];
            llvm::Value* n = extent.scalars[extent.scalars.size() == 1 ? 0 : r];
            fail_if(ir.CreateICmpUGE(i, n), [&] { report(inst, i, code_.i64(0), code_.i64(1), n); });
        }
        return result;
    }
    if (index.is_affine() && extent.is_uniform() && index.scalars.size() == 1 && !code_.lanes.masked() && in_line(index)) {
        llvm::Value *first = index.scalars[0], *n = extent.scalars[0];  // the strides have the same sign: the ends decide
        llvm::Value* last = code_.add(code_.scalar(index, code_.lanes.columns - 1),
                                      code_.mul(index.lane_stride, code_.i64(code_.lanes.width - 1)));
        llvm::Value* bad = ir.CreateOr(ir.CreateICmpUGE(first, n), ir.CreateICmpUGE(last, n));
        fail_if(bad, [&] { report(inst, first, index.lane_stride, code_.i64(code_.lanes.width * code_.lanes.columns), n); });
        return result;
    }
    if (code_.lanes.masked() || !code_.machine.x86 || !extent.is_uniform()) return check_lanes(inst, index, extent), result;
    Few none;
    code_.when(suspicious(index, extent.scalars[0]), none, [&] { check_lanes(inst, index, extent); }, false);
    return result;
}

void Checks::check_lanes(const Inst& inst, const Value& index, const Value& extent) {
    Few bad;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        bad.push_back(ir.CreateICmpUGE(code_.vector(index, p), code_.vector(extent, p)));
        if (llvm::Value* mask = code_.mask(p)) bad.back() = ir.CreateAnd(mask, bad.back());
    }
    fail_if(code_.any(bad), [&] { report_lanes(inst, bad, &index, &extent); });
}

namespace {

/// The 32-bit integers that were widened, with their signs, to lanes of 64 bits; null if there are none.
llvm::Value* widened_from(llvm::Value* lanes) {
    auto* widening = llvm::dyn_cast<llvm::SExtInst>(lanes);
    const bool words = widening && widening->getSrcTy()->getScalarSizeInBits() == 32;
    return words ? widening->getOperand(0) : nullptr;
}

}  // namespace

/// Computes with one maximum per part if an index may be outside: the maximum of the 32-bit words of which the indices
/// consist. Upper words have to be below 1, lower words below the extent. If the extent is too large for this, all indices
/// are suspicious.
llvm::Value* Checks::suspicious(const Value& index, llvm::Value* extent) {
    Few indices;
    for (int p = 0; p < code_.lanes.parts(); ++p) indices.push_back(code_.vector(index, p));
    const bool words = llvm::all_of(indices, widened_from);
    llvm::Value* bound = code_.pure({extent}, [&] {
        llvm::Value* fits = ir.CreateICmpULE(extent, code_.i64(std::int64_t{1} << 31));
        llvm::Value* low = ir.CreateSelect(fits, extent, code_.i64(0));
        return words ? ir.CreateTrunc(low, ir.getInt32Ty()) : ir.CreateOr(low, code_.i64(std::int64_t{1} << 32));
    });
    auto as_words = [&](llvm::Value* v) {
        const unsigned count = static_cast<unsigned>(code_.lanes.width) * (words ? 1 : 2);
        return ir.CreateBitCast(v, llvm::FixedVectorType::get(ir.getInt32Ty(), count));
    };
    llvm::Value* most = nullptr;
    for (llvm::Value* i : indices) {
        llvm::Value* w = as_words(words ? widened_from(i) : i);
        most = most ? ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, most, w) : w;
    }
    return code_.any({ir.CreateICmpUGE(most, as_words(code_.splat(bound)))});
}

Value Checks::divisor(const Inst& inst, const Value& divisor) {
    if (divisor.is_lane_uniform()) {
        for (llvm::Value* d : divisor.scalars)
            fail_if(ir.CreateIsNull(d), [&] { report(inst, code_.i64(0), code_.i64(0), code_.i64(1), code_.i64(0)); });
        return divisor;
    }
    Few bad;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        bad.push_back(ir.CreateIsNull(code_.vector(divisor, p)));
        if (llvm::Value* mask = code_.mask(p)) bad.back() = ir.CreateAnd(mask, bad.back());
    }
    fail_if(code_.any(bad), [&] { report_lanes(inst, bad, nullptr, nullptr); });
    return divisor;
}

Value Checks::expectation(const Inst& inst, const Operands& operands) {
    const Value &condition = *operands[0], &number = *operands[1];
    llvm::Value* second = operands.size() > 2 ? operands[2]->scalars[0] : code_.i64(0);
    const Value result = Value::uniform(Scalar::boolean, ir.getTrue());
    if (condition.is_lane_uniform() && number.is_lane_uniform()) {
        for (std::size_t r = 0; r < std::max(condition.scalars.size(), number.scalars.size()); ++r) {
            llvm::Value* c = condition.scalars[condition.scalars.size() == 1 ? 0 : r];
            llvm::Value* n = number.scalars[number.scalars.size() == 1 ? 0 : r];
            fail_if(ir.CreateNot(c), [&] { report(inst, n, code_.i64(0), code_.i64(1), second); });
        }
        return result;
    }
    Few bad;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        bad.push_back(ir.CreateNot(code_.vector(condition, p)));
        if (llvm::Value* mask = code_.mask(p)) bad.back() = ir.CreateAnd(mask, bad.back());
    }
    fail_if(code_.any(bad), [&] { report_lanes(inst, bad, &number, nullptr); });
    return result;
}

}  // namespace sinter::emit
