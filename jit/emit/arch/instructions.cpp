// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/arch/instructions.hpp"

#include "jit/emit/llvm/compat.hpp"

#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <numeric>

namespace sinter::emit {

namespace {

using llvm::Intrinsic::ID;

/// AVX-512's scalef for vectors of `width` bits.
ID scalef(std::uint64_t width, bool single) {
    namespace I = llvm::Intrinsic;
    switch (width) {
        case 128:
            return single ? I::x86_avx512_mask_scalef_ps_128 : I::x86_avx512_mask_scalef_pd_128;
        case 256:
            return single ? I::x86_avx512_mask_scalef_ps_256 : I::x86_avx512_mask_scalef_pd_256;
        case 512:
            return single ? I::x86_avx512_mask_scalef_ps_512 : I::x86_avx512_mask_scalef_pd_512;
        default:
            return I::not_intrinsic;
    }
}

}  // namespace

llvm::Value* scale_by_instruction(llvm::IRBuilder<>& ir, llvm::Value* y, llvm::Value* n) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(y->getType());
    if (!type) return nullptr;
    const std::uint64_t width = type->getPrimitiveSizeInBits().getFixedValue();
    const unsigned lanes = type->getNumElements();
    if (width > 512) {
        llvm::SmallVector<int, 64> all(lanes);
        std::iota(all.begin(), all.end(), 0);
        auto part = [&](llvm::ArrayRef<int> picked) {
            return scale_by_instruction(ir, ir.CreateShuffleVector(y, picked), ir.CreateShuffleVector(n, picked));
        };
        llvm::Value *low = part(llvm::ArrayRef(all).take_front(lanes / 2)),
                    *high = part(llvm::ArrayRef(all).drop_front(lanes / 2));
        return low && high ? ir.CreateShuffleVector(low, high, all) : nullptr;
    }
    const ID id = scalef(width, type->getScalarType()->isFloatTy());
    if (id == llvm::Intrinsic::not_intrinsic) return nullptr;
    constexpr unsigned smallest_mask = 8, rounding_of_mxcsr = 4;
    llvm::Constant* whole = llvm::Constant::getAllOnesValue(ir.getIntNTy(std::max(lanes, smallest_mask)));
    llvm::SmallVector<llvm::Value*, 5> args{y, n, y, whole};
    if (width == 512) args.push_back(ir.getInt32(rounding_of_mxcsr));
    return ir.CreateIntrinsic(id, {}, args);
}

llvm::Value* compress_by_instruction(llvm::IRBuilder<>& ir, llvm::Value* value, llvm::Value* mask) {
    return ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {value->getType()},
                              {value, llvm::PoisonValue::get(value->getType()), mask});
}

int permutable_bits(llvm::IRBuilder<>& ir, const Machine& machine) {
    if (machine.x86) return machine.vector_bits == 256 ? 256 : 0;
    const llvm::Triple triple(ir.GetInsertBlock()->getModule()->getTargetTriple());
    return triple.isAArch64() && machine.vector_bits == 128 ? 128 : 0;
}

llvm::Value* permute_bytes(llvm::IRBuilder<>& ir, const Machine& machine, llvm::Value* value, llvm::Value* order) {
    if (machine.x86) return compat::call(ir, llvm::Intrinsic::x86_ssse3_pshuf_b_128, {value, order});
    return ir.CreateIntrinsic(llvm::Intrinsic::aarch64_neon_tbl1, {value->getType()}, {value, order});
}

llvm::Value* permute_words(llvm::IRBuilder<>& ir, llvm::Value* value, llvm::Value* order) {
    return compat::call(ir, llvm::Intrinsic::x86_avx2_permd, {value, order});
}

void store_fence(llvm::IRBuilder<>& ir) { compat::call(ir, llvm::Intrinsic::x86_sse_sfence); }

llvm::ArrayRef<llvm::StringRef> mask_register_features() {
    static constexpr llvm::StringRef names[] = {"avx512f", "avx512bw", "avx512dq", "avx512vl", "evex512"};
    return llvm::ArrayRef(names).drop_back(compat::has_evex512 ? 0 : 1);
}

}  // namespace sinter::emit
