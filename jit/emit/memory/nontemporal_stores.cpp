// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/memory/nontemporal_stores.hpp"

#include "jit/emit/llvm/metadata.hpp"
#include "schedule/tuning.hpp"

namespace sinter::emit {

bool NontemporalStores::store(const Inst& inst, const Value& offset, const Few& parts,
                              llvm::function_ref<void()> ordinarily) {
    const auto stride = known_stride(offset);
    const int bytes = code_.lanes.width * detail::size_of(addresses_.type(inst.bits));
    if (!code_.machine.nontemporal || code_.lanes.masked() || addresses_.in_register_tile() || !stride || *stride != 1)
        return false;
    if (8 * bytes != code_.machine.vector_bits || kernel_.buffers[inst.bits].local) return false;
    const std::size_t neighbours = static_cast<std::size_t>(bytes * code_.lanes.columns);
    if (neighbours < schedule::tuning::cache_line && (code_.lanes.rows > 1 || !parts_of_lines)) return false;
    auto* step = llvm::dyn_cast<llvm::ConstantInt>(offset.part_stride);
    if (code_.lanes.columns > 1 && (!step || step->getSExtValue() != code_.lanes.width)) return false;
    llvm::Value* ordinary = fields_.argument(offsetof(Arguments, ordinary_stores), ir.getInt64Ty());
    llvm::BasicBlock *is_aligned = code_.block(), *past_caches = code_.block(), *as_usual = code_.block(),
                     *join = code_.block();
    ir.CreateCondBr(ir.CreateIsNull(ordinary), is_aligned, as_usual, unlikely(ir.getContext()));
    code_.enter(is_aligned);
    llvm::Value* address = code_.i64(0);
    for (int p = 0; p < code_.lanes.parts(); p += code_.lanes.columns)
        address = ir.CreateOr(address, ir.CreatePtrToInt(addresses_.part(inst.bits, offset, p), ir.getInt64Ty()));
    ir.CreateCondBr(ir.CreateIsNull(ir.CreateAnd(address, code_.i64(bytes - 1))), past_caches, as_usual);
    code_.enter(past_caches);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        llvm::Value* pointer = addresses_.part(inst.bits, offset, static_cast<int>(p));
        nontemporal(ir.CreateAlignedStore(parts[p], pointer, llvm::Align(static_cast<std::uint64_t>(bytes))));
    }
    ir.CreateBr(join);
    code_.enter(as_usual);
    ordinarily();
    ir.CreateBr(join);
    code_.enter(join);
    code_.fence_on_leaving(ordinary);
    return true;
}

}  // namespace sinter::emit
