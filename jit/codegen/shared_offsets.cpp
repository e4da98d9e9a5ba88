// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/codegen/shared_offsets.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <utility>
#include <vector>

namespace sinter::codegen {

namespace {

/// Loads that share an offset from which on it is worth it. For two, as in a dot product, registers become more, and what
/// bounds such kernels is memory [registers as ptxas 13.0 gives them].
constexpr std::size_t least_shared = 4;

struct Address {
    llvm::GetElementPtrInst* address;
    llvm::Value* fixed;  ///< the part of its offset that is the same in all iterations
};

/// What of a loop can be computed before it.
class Fixed {
  public:
    explicit Fixed(const llvm::Loop& loop) : loop_(loop) {}

    bool operator()(llvm::Value* value) {
        if (loop_.isLoopInvariant(value)) return true;
        if (const auto known = known_.find(value); known != known_.end()) return known->second;
        return known_[value] = can_move(llvm::cast<llvm::Instruction>(value));
    }

  private:
    bool can_move(llvm::Instruction* inst) {
        if (llvm::isa<llvm::PHINode>(inst) || inst->mayReadOrWriteMemory()) return false;
        return llvm::isSafeToSpeculativelyExecute(inst) &&
               llvm::all_of(inst->operands(), [&](llvm::Value* operand) { return (*this)(operand); });
    }

    const llvm::Loop& loop_;
    llvm::DenseMap<llvm::Value*, bool> known_;
};

/// The parts of the sum that an offset is: what is fixed in the loop, and the rest.
std::pair<llvm::Value*, llvm::Value*> parts_of(Fixed& is_fixed, llvm::Value* offset) {
    llvm::Value *a = nullptr, *b = nullptr;
    if (!llvm::PatternMatch::match(
            offset, llvm::PatternMatch::m_Add(llvm::PatternMatch::m_Value(a), llvm::PatternMatch::m_Value(b))))
        return {};
    if (is_fixed(b)) std::swap(a, b);
    if (!is_fixed(a) || is_fixed(b) || llvm::isa<llvm::Constant>(a)) return {};
    return {a, b};
}

void share_in(llvm::Loop& loop, llvm::DominatorTree& tree, llvm::LoopInfo& loops) {
    Fixed is_fixed(loop);
    llvm::MapVector<llvm::Value*, std::vector<Address>> addresses;  ///< by what they share
    for (llvm::BasicBlock* block : loop.blocks())
        for (llvm::Instruction& inst : *block) {
            auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst);
            auto* address = load ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
            if (!address || !loop.contains(address) || address->getNumIndices() != 1) continue;
            if (!address->hasOneUse() || !is_fixed(address->getPointerOperand())) continue;
            const auto [fixed, shared] = parts_of(is_fixed, address->getOperand(1));
            if (shared) addresses[shared].push_back({address, fixed});
        }
    llvm::BasicBlock* before = nullptr;
    for (const auto& [shared, found] : addresses) {
        if (found.size() < least_shared) continue;
        if (!before) before = loop.getLoopPreheader();
        if (!before) before = llvm::InsertPreheaderForLoop(&loop, &tree, &loops, nullptr, false);
        if (!before) return;
        for (const Address& a : found) {
            llvm::IRBuilder<> outside(before->getTerminator()), here(a.address);
            bool changed = false;
            for (llvm::Value* part : {a.address->getPointerOperand(), a.fixed}) loop.makeLoopInvariant(part, changed);
            llvm::Type* element = a.address->getSourceElementType();
            llvm::Value* begin = outside.CreateGEP(element, a.address->getPointerOperand(), a.fixed);
            a.address->replaceAllUsesWith(here.CreateGEP(element, begin, shared));
        }
    }
}

}  // namespace

void share_offsets(llvm::Module& module) {
    for (llvm::Function& f : module) {
        if (f.isDeclaration()) continue;
        llvm::DominatorTree tree(f);
        llvm::LoopInfo loops(tree);
        for (llvm::Loop* loop : loops.getLoopsInPreorder())
            if (loop->isInnermost()) share_in(*loop, tree, loops);
    }
}

}  // namespace sinter::codegen
