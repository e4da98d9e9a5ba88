// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/memory/nontemporal_stores.hpp"

#include "jit/emit/llvm/metadata.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;

namespace {

constexpr std::size_t line_bytes = 64;

/// Tells if an offset is that of an element other than the loop's own: a neighbour, or a clamped one.
class Shifts {
  public:
    bool any(const lower::Block& b, std::size_t level) {
        defined_.resize(level + b.params.size(), nullptr);
        bool found = false;
        for (const lower::Inst& inst : b.insts) {
            if (inst.op == Op::load) found |= is_shifted(inst.operands[0]);
            const std::size_t behind = defined_.size();
            for (const lower::Block& inner : inst.blocks) found |= any(inner, behind), defined_.resize(behind);
            defined_.insert(defined_.end(), inst.types.size(), &inst);
        }
        return found;
    }

  private:
    bool is_shifted(ir::Local offset) const {
        const lower::Inst* inst = defined_[offset.index];
        if (!inst) return false;
        switch (inst->op) {
            case Op::minimum:
            case Op::maximum:
            case Op::wrap:
            case Op::symmetric:
            case Op::reflect:
                return true;
            case Op::add:
            case Op::sub:
                return std::any_of(inst->operands.begin(), inst->operands.end(),
                                   [&](ir::Local l) { return is_constant(l) || is_shifted(l); });
            case Op::check_index:
                return is_shifted(inst->operands[0]);
            default:
                return false;
        }
    }
    bool is_constant(ir::Local l) const { return defined_[l.index] && defined_[l.index]->op == Op::constant; }

    std::vector<const lower::Inst*> defined_;  ///< by local; null for a parameter
};

bool reads_shifted(const lower::Block& body) { return Shifts().any(body, 0); }

}  // namespace

bool NontemporalStores::store(const Inst& inst, const Value& offset, const Few& parts,
                              llvm::function_ref<void()> ordinarily) {
    const auto stride = known_stride(offset);
    const int bytes = code_.lanes.width * detail::size_of(addresses_.type(inst.bits));
    if (!code_.machine.nontemporal || code_.lanes.masked() || addresses_.in_register_tile() || !stride || *stride != 1)
        return false;
    if (8 * bytes != code_.machine.vector_bits || kernel_.buffers[inst.bits].local) return false;
    const std::size_t neighbours = static_cast<std::size_t>(bytes * code_.lanes.columns);
    if (neighbours < line_bytes && (code_.lanes.rows > 1 || reads_shifted(kernel_.body))) return false;
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
