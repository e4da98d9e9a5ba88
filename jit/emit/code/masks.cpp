// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/masks.hpp"

namespace sinter::emit {

Few active_lanes(Code& code) {
    Few mask = code.lanes.mask;
    if (mask.empty())
        mask.assign(static_cast<std::size_t>(code.lanes.parts()), llvm::Constant::getAllOnesValue(code.wide_type()));
    return mask;
}

Few mask_and(Code& code, const Few& mask, const Value& condition, bool negated) {
    Few result;
    for (int p = 0; p < code.lanes.parts(); ++p) {
        llvm::Value* c = code.vector(condition, p);
        if (negated) c = code.ir.CreateNot(c);
        llvm::Value* wide = code.wide(c);
        result.push_back(mask.empty() ? wide : code.ir.CreateAnd(mask[static_cast<std::size_t>(p)], wide));
    }
    return result;
}

Few tail_mask(Code& code, llvm::Value* remaining) {
    llvm::IRBuilder<>& ir = code.ir;
    llvm::Type* lane = ir.getIntNTy(static_cast<unsigned>(code.lane_bits()));
    Few mask;
    for (int column = 0; column < code.lanes.columns; ++column) {
        llvm::Value* here = ir.CreateSub(remaining, code.i64(column * code.lanes.width));
        llvm::Value* count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, here, code.i64(code.lanes.width));
        if (column > 0) count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, code.i64(0));
        count = ir.CreateTrunc(count, lane);
        mask.push_back(code.wide(ir.CreateICmpSLT(code.lane_numbers(lane), code.splat(count))));
    }
    for (int row = 1; row < code.lanes.rows; ++row)
        for (int column = 0; column < code.lanes.columns; ++column) mask.push_back(mask[static_cast<std::size_t>(column)]);
    return mask;
}

Few where_full(Code& code, llvm::function_ref<Few()> emit_lanes) {
    auto unmasked = [&] {
        Lanes lanes = code.lanes;
        lanes.mask.clear();
        const WithLanes with(code, lanes);
        return emit_lanes();
    };
    return code.either(code.lanes.full, unmasked, emit_lanes);
}

}  // namespace sinter::emit
