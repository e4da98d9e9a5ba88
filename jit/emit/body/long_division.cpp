// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quotients of vectors of 64-bit integers are computed as those of doubles (divide.cpp) if all numbers are small, as
// they nearly always are: this is tested for all lanes and parts at once. Lanes that are not active may fail the test, which
// only costs time.
#include "jit/emit/body/division.hpp"

namespace sinter::emit {

using ir::Op;

namespace {

constexpr std::int64_t least = std::int64_t{1} << 50;  ///< numbers from -least to least - 1 are small

/// A number by which machines divide in a few instructions, or that is not small.
bool is_apart(llvm::Value* y) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(y);
    if (!number) return false;
    const llvm::APInt size = number->getValue().abs();
    return size.isZero() || size.isPowerOf2() || size.uge(static_cast<std::uint64_t>(least));
}

}  // namespace

std::optional<Value> long_division(Code& code, const ScalarOp& op, const Operands& operands) {
    if ((op.op != Op::div && op.op != Op::rem) || op.result != Scalar::i64 || op.small) return std::nullopt;
    const Value &x = *operands[0], &y = *operands[1];
    if (!code.lanes.vector() || (x.is_uniform() && y.is_uniform())) return std::nullopt;
    if (y.is_uniform() && is_apart(y.scalars[0])) return std::nullopt;
    llvm::Value* all = nullptr;
    Few dividends, divisors;
    for (int p = 0; p < code.lanes.parts(); ++p) {
        for (auto [value, parts] : {std::pair(&x, &dividends), std::pair(&y, &divisors)}) {
            parts->push_back(code.vector(*value, p));
            llvm::Value* part = parts->back();
            llvm::Value* above = code.ir.CreateAdd(part, llvm::ConstantInt::get(part->getType(), least));
            all = all ? code.ir.CreateOr(all, above) : above;
        }
    }
    auto divided = [&](bool small) {
        ScalarOp own = op;
        own.small = small;
        Few results;
        for (std::size_t p = 0; p < dividends.size(); ++p)
            results.push_back(emit_scalar(code.ir, code.machine, own, {dividends[p], divisors[p]}));
        return results;
    };
    llvm::Value* are_small = code.ir.CreateICmpULT(code.ir.CreateOrReduce(all), code.i64(2 * least));
    return Value::varying(Scalar::i64,
                          code.either(are_small, [&] { return divided(true); }, [&] { return divided(false); }));
}

}  // namespace sinter::emit
