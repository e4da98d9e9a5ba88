// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM selects and schedules instructions block by block, in more than linear time for long blocks; and it allocates
// registers in a time that grows with the number of live values times the number of blocks through which they live.
// Therefore blocks are cut every few hundred instructions. A value that is used at most a few blocks further on, in the same
// loop, stays in a register. Any other value goes through a slot in memory: it is stored where it is made, and loaded by
// each block before its first use there. Values that lead from the arguments of a kernel to one of its sizes, buffers or
// scalars are loaded again instead.
//
// The blocks cut from one block are executed one after another. The slots of values that live only among these are free
// again after the last use, also for blocks cut from other ones.
#include "jit/emit/llvm/bound_blocks.hpp"

#include "jit/emit/llvm/compat.hpp"
#include "schedule/tuning.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace sinter::emit {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;

using schedule::tuning::longest_block;
using schedule::tuning::most_repeated;
constexpr unsigned reach = schedule::tuning::register_reach;

/// The block from which a use is reached.
BasicBlock* block_of(const llvm::Use& use) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) return phi->getIncomingBlock(use);
    return user->getParent();
}

/// Memory for values, by size.
class Slots {
  public:
    explicit Slots(llvm::Function& function) : entry_(function.getEntryBlock()) {}

    using Slot = llvm::AllocaInst*;
    std::size_t bytes() const { return bytes_; }

    /// Makes a slot for the rest of the function.
    Slot make(std::uint64_t size) {
        llvm::IRBuilder<> at(&entry_, entry_.begin());
        const std::uint64_t align = std::min<std::uint64_t>(64, llvm::PowerOf2Ceil(size));
        Slot slot = at.CreateAlloca(llvm::ArrayType::get(at.getInt8Ty(), size));
        slot->setAlignment(llvm::Align(align));
        bytes_ += llvm::alignTo(size, align);
        return slot;
    }

    /// Takes a slot until it is released, or until all slots are.
    Slot take(std::uint64_t size) {
        Size& of_size = sizes_[size];
        if (of_size.free.empty()) {
            of_size.all.push_back(make(size));
            return of_size.all.back();
        }
        Slot slot = of_size.free.back();
        of_size.free.pop_back();
        return slot;
    }

    void release(std::uint64_t size, Slot slot) { sizes_[size].free.push_back(slot); }

    void release_all() {
        for (auto& [size, of_size] : sizes_) of_size.free = of_size.all;
    }

  private:
    struct Size {
        std::vector<Slot> all, free;
    };

    BasicBlock& entry_;
    std::map<std::uint64_t, Size> sizes_;
    std::size_t bytes_ = 0;
};

/// The values that can be computed again wherever they are needed: those that follow from arguments by loads of memory that
/// does not change.
class Repeatable {
  public:
    bool operator()(const Instruction& inst) { return cost(inst) <= most_repeated; }

  private:
    static bool has_right_kind(const Instruction& inst) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst))
            return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
        return llvm::isa<llvm::GetElementPtrInst, llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::CastInst,
                         llvm::CmpInst>(inst);
    }

    int cost(const Instruction& inst) {
        if (auto found = costs_.find(&inst); found != costs_.end()) return found->second;
        costs_[&inst] = never;  // no cycle leads through these instructions, except in unreachable code
        int sum = has_right_kind(inst) ? 1 : never;
        for (const llvm::Value* operand : inst.operand_values())
            if (auto* made = llvm::dyn_cast<Instruction>(operand); made && sum <= most_repeated) sum += cost(*made);
        return costs_[&inst] = std::min(sum, never);
    }

    static constexpr int never = most_repeated + 1;
    llvm::DenseMap<const Instruction*, int> costs_;
};

class Bound {
  public:
    explicit Bound(llvm::Function& function) : function_(function), layout_(compat::layout_of(function)), slots_(function) {}

    std::size_t run() {
        cut();
        order_blocks();
        choose();
        for (BasicBlock* block : blocks_) rewrite(*block);
        llvm::SmallVector<llvm::WeakTrackingVH, 16> dead(repeated_.begin(), repeated_.end());
        llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
        return slots_.bytes();
    }

  private:
    struct Place {
        unsigned order = 0;           ///< of the block in reverse post-order
        BasicBlock* whole = nullptr;  ///< the block that it was cut from
        llvm::Loop* loop = nullptr;
    };

    // ---- blocks ----

    void cut() {
        std::vector<BasicBlock*> whole;
        for (BasicBlock& block : function_) whole.push_back(&block);
        for (BasicBlock* block : whole) {
            places_[block].whole = block;
            cut(*block);
        }
    }

    /// Goes from the end, so that every instruction moves once.
    void cut(BasicBlock& block) {
        std::vector<Instruction*> cuts;
        std::size_t length = 0;
        for (auto it = block.getFirstNonPHIOrDbgOrAlloca(); it != block.end(); ++it)
            if (++length % longest_block == 0) cuts.push_back(&*it);
        for (auto at = cuts.rbegin(); at != cuts.rend(); ++at) {
            BasicBlock* piece = block.splitBasicBlock(*at);
            places_[piece].whole = &block;
        }
    }

    void order_blocks() {
        const llvm::DominatorTree dominators(function_);
        loops_.analyze(dominators);
        for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
            Place& place = places_[block];
            place.order = static_cast<unsigned>(blocks_.size());
            place.loop = loops_.getLoopFor(block);
            blocks_.push_back(block);
        }
    }

    // ---- which values move ----

    void choose() {
        const BasicBlock* whole = nullptr;
        for (BasicBlock* block : blocks_) {
            const Place& place = places_.find(block)->second;
            if (std::exchange(whole, place.whole) != place.whole) slots_.release_all(), ending_.clear();
            if (auto ended = ending_.find(place.order); ended != ending_.end())
                for (auto [size, slot] : ended->second) slots_.release(size, slot);
            for (Instruction& inst : *block) choose(inst, place);
        }
    }

    void choose(Instruction& inst, const Place& place) {
        if (llvm::isa<llvm::AllocaInst>(inst) || inst.isTerminator()) return;
        bool far = false, same_whole = true;
        unsigned last = place.order;
        for (const llvm::Use& use : inst.uses()) {
            const Place& other = places_.find(block_of(use))->second;
            far = far || other.loop != place.loop || other.order > place.order + reach;
            same_whole = same_whole && other.whole == place.whole;
            last = std::max(last, other.order);
        }
        if (!far) return;
        if (repeatable_(inst)) {
            repeated_.push_back(&inst);
            kept_[&inst] = nullptr;
            return;
        }
        const std::uint64_t size = layout_.getTypeAllocSize(in_memory(inst.getType()));
        kept_[&inst] = same_whole ? slots_.take(size) : slots_.make(size);
        if (same_whole) ending_[last + 1].push_back({size, kept_[&inst]});
    }

    /// Vectors of i1 become bytes.
    static llvm::Type* in_memory(llvm::Type* type) {
        const bool mask = type->isVectorTy() && type->getScalarType()->isIntegerTy(1);
        return mask ? type->getWithNewBitWidth(8) : type;
    }

    // ---- their uses ----

    /// The values that have been fetched in the block that is being rewritten.
    using Here = llvm::DenseMap<llvm::Value*, llvm::Value*>;

    void rewrite(BasicBlock& block) {
        Here here;
        std::vector<Instruction*> own;
        for (Instruction& inst : block) own.push_back(&inst);
        for (Instruction* inst : own) {
            if (!llvm::isa<llvm::PHINode>(inst))
                for (llvm::Use& operand : inst->operands()) fetch(operand, block, *inst, here);
            if (auto kept = kept_.find(inst); kept != kept_.end() && kept->second) store(*inst, kept->second);
        }
        for (BasicBlock* next : llvm::successors(&block))
            for (llvm::PHINode& phi : next->phis())
                for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k)
                    if (phi.getIncomingBlock(k) == &block) fetch(phi.getOperandUse(k), block, *block.getTerminator(), here);
    }

    void store(Instruction& inst, llvm::AllocaInst* slot) {
        BasicBlock& block = *inst.getParent();
        const auto behind = llvm::isa<llvm::PHINode>(inst) ? block.getFirstInsertionPt() : std::next(inst.getIterator());
        llvm::IRBuilder<> at(&block, behind);
        llvm::Type* type = in_memory(inst.getType());
        at.CreateAlignedStore(type == inst.getType() ? &inst : at.CreateZExt(&inst, type), slot, slot->getAlign());
    }

    void fetch(llvm::Use& use, BasicBlock& block, Instruction& before, Here& here) {
        auto* made = llvm::dyn_cast<Instruction>(use.get());
        if (!made || made->getParent() == &block || kept_.count(made) == 0) return;
        use.set(fetched(*made, block, before, here));
    }

    llvm::Value* fetched(Instruction& made, BasicBlock& block, Instruction& before, Here& here) {
        if (auto found = here.find(&made); found != here.end()) return found->second;
        llvm::IRBuilder<> at(&before);
        llvm::Value* result = nullptr;
        if (llvm::AllocaInst* slot = kept_.lookup(&made)) {
            llvm::Type* type = in_memory(made.getType());
            result = at.CreateAlignedLoad(type, slot, slot->getAlign());
            if (type != made.getType()) result = at.CreateTrunc(result, made.getType());
        } else {
            result = repeat(made, block, before, here);
        }
        return here[&made] = result;
    }

    llvm::Value* repeat(Instruction& made, BasicBlock& block, Instruction& before, Here& here) {
        Instruction* copy = made.clone();
        for (llvm::Use& operand : copy->operands()) {
            auto* inner = llvm::dyn_cast<Instruction>(operand.get());
            if (inner && inner->getParent() != &block) operand.set(fetched(*inner, block, before, here));
        }
        copy->insertBefore(&before);
        return copy;
    }

    llvm::Function& function_;
    const llvm::DataLayout& layout_;
    Slots slots_;
    Repeatable repeatable_;
    llvm::LoopInfo loops_;
    llvm::DenseMap<BasicBlock*, Place> places_;
    std::vector<BasicBlock*> blocks_;                       ///< in reverse post-order
    llvm::DenseMap<Instruction*, llvm::AllocaInst*> kept_;  ///< null if the value is computed again
    std::vector<Instruction*> repeated_;
    llvm::DenseMap<unsigned, std::vector<std::pair<std::uint64_t, Slots::Slot>>> ending_;  ///< by the block that frees them
};

}  // namespace

bool is_large(const llvm::Function& function) { return function.getInstructionCount() > schedule::tuning::large_function; }

std::size_t bound_blocks(llvm::Function& function) { return Bound(function).run(); }

}  // namespace sinter::emit
