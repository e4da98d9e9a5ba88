// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of 64-bit integers whose quotients are found as those of doubles (divide.cpp) if all of them are small, as nearly
// all are: which is asked of all lanes and parts at once. Lanes that are not active may say no, which costs time only.
#include "jit/emit/body/emitter.hpp"

namespace sinter::emit {

using ir::Op;

namespace {

constexpr std::int64_t least = std::int64_t{1} << 50;  ///< numbers from -least to least - 1 are small

}  // namespace

std::optional<Value> Emitter::long_division(const Inst& inst, const ScalarOp& op) {
    if ((inst.op != Op::div && inst.op != Op::rem) || inst.type() != Scalar::i64 || op.small) return std::nullopt;
    const Value &x = operand(inst, 0), &y = operand(inst, 1);
    if (!code_.lanes.vector() || (x.is_uniform() && y.is_uniform())) return std::nullopt;
    if (y.is_uniform() && llvm::isa<llvm::Constant>(y.scalars[0])) return std::nullopt;
    llvm::Value* all = nullptr;
    Few dividends, divisors;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        for (auto [value, parts] : {std::pair(&x, &dividends), std::pair(&y, &divisors)}) {
            parts->push_back(code_.vector(*value, p));
            llvm::Value* part = parts->back();
            llvm::Value* above = ir.CreateAdd(part, llvm::ConstantInt::get(part->getType(), least));
            all = all ? ir.CreateOr(all, above) : above;
        }
    }
    auto divided = [&](bool small) {
        ScalarOp own = op;
        own.small = small;
        Few results;
        for (std::size_t p = 0; p < dividends.size(); ++p)
            results.push_back(emit_scalar(ir, code_.machine, own, {dividends[p], divisors[p]}));
        return results;
    };
    llvm::Value* are_small = ir.CreateICmpULT(ir.CreateOrReduce(all), code_.i64(2 * least));
    return Value::varying(Scalar::i64,
                          code_.either(are_small, [&] { return divided(true); }, [&] { return divided(false); }));
}

}  // namespace sinter::emit
