// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/codegen/nvptx.hpp"

#include "jit/codegen/shared_offsets.hpp"
#include "jit/emit/llvm/compat.hpp"
#include "jit/emit/llvm/llvm_use.hpp"
#include "jit/gpu/emit/builtins.hpp"
#include "schedule/card/tuning.hpp"
#include "schedule/tuning.hpp"
#include "support/check.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/LoadStoreVectorizer.h>

#include <algorithm>

// The entry points of this generator; llvm/Support/TargetSelect.h would name all targets.
extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace sinter::codegen {

namespace {

namespace builtin = gpu::builtin;
using gpu::block_threads, gpu::warp_threads;

constexpr const char* triple = "nvptx64-nvidia-cuda";

std::unique_ptr<llvm::TargetMachine> make_machine(const PtxTarget& target) {
    static const bool initialised = [] {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
        return true;
    }();
    (void)initialised;
    std::string error;
    const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, error);
    check(found != nullptr, "LLVM generates PTX");
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    const std::string version = std::to_string(std::min(target.version, compat::newest_ptx));
    return compat::create_machine(*found, llvm::Triple(triple), "sm_" + std::to_string(target.architecture),
                                  "+ptx" + version, options, std::nullopt, std::nullopt, compat::default_level);
}

/// Writes the bodies of the functions that kernels call.
class Bodies {
  public:
    Bodies(llvm::Module& module, std::size_t shared_bytes)
        : module_(module), ir(module.getContext()), shared_(shared_bytes) {}

    void define() {
        namespace I = llvm::Intrinsic;
        define(builtin::thread, [&](llvm::Function&) { return call(I::nvvm_read_ptx_sreg_tid_x, {}); });
        define(builtin::block, [&](llvm::Function&) { return call(I::nvvm_read_ptx_sreg_ctaid_x, {}); });
        define(builtin::blocks, [&](llvm::Function&) { return call(I::nvvm_read_ptx_sreg_nctaid_x, {}); });
        define(builtin::barrier, [&](llvm::Function&) { return compat::block_barrier(ir), nullptr; });
        define(builtin::fence, [&](llvm::Function&) { return call(I::nvvm_membar_gl, {}), nullptr; });
        define(builtin::warp_barrier,
               [&](llvm::Function&) { return call(I::nvvm_bar_warp_sync, {ir.getInt32(0xffffffff)}), nullptr; });
        define(builtin::peers,
               [&](llvm::Function& f) { return call(I::nvvm_match_any_sync_i32, {ir.getInt32(0xffffffff), f.getArg(0)}); });
        define(builtin::ballot, [&](llvm::Function& f) {
            return call(I::nvvm_vote_ballot_sync, {ir.getInt32(0xffffffff), ir.CreateIsNotNull(f.getArg(0))});
        });
        define(builtin::multiply_add, [&](llvm::Function& f) {
            return multiply_add(f, I::nvvm_mma_m16n8k16_row_col_f32_f32, llvm::FixedVectorType::get(ir.getHalfTy(), 2));
        });
        define(builtin::multiply_add_tf32,
               [&](llvm::Function& f) { return multiply_add(f, I::nvvm_mma_m16n8k8_row_col_tf32, ir.getInt32Ty()); });
        define(builtin::to_tf32, [&](llvm::Function& f) { return call(I::nvvm_f2tf32_rna, {f.getArg(0)}); });
        const std::string sleep = "nanosleep.u32 " + std::to_string(schedule::card::tuning::pause_ns) + ";";
        define(builtin::pause, [&](llvm::Function&) { return assembly(sleep, "", ir.getVoidTy(), {}), nullptr; });
        define_word(builtin::load_relaxed, "ld.relaxed.gpu.global.u64 $0, [$1];");
        define_word(builtin::load_acquire, "ld.acquire.gpu.global.u64 $0, [$1];");
        define_word(builtin::store_relaxed, "st.relaxed.gpu.global.u64 [$0], $1;");
        define_word(builtin::store_release, "st.release.gpu.global.u64 [$0], $1;");
        define(builtin::shared, [&](llvm::Function&) { return shared(); });
        define(builtin::from_lane, [&](llvm::Function& f) {
            llvm::Value *all = ir.getInt32(0xffffffff), *clamp = ir.getInt32(warp_threads - 1);
            return call(I::nvvm_shfl_sync_idx_i32, {all, f.getArg(0), f.getArg(1), clamp});
        });
    }

  private:
    llvm::Value* call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments) {
        return compat::call(ir, id, arguments);
    }

    llvm::Value* multiply_add(llvm::Function& f, llvm::Intrinsic::ID id, llvm::Type* word) {
        llvm::SmallVector<llvm::Value*, 10> arguments;
        for (unsigned k = 1; k < f.arg_size(); ++k) arguments.push_back(ir.CreateBitCast(f.getArg(k), word));
        constexpr std::uint64_t sums = 4;
        for (std::uint64_t k = 0; k < sums; ++k) arguments.push_back(ir.CreateExtractElement(f.getArg(0), k));
        llvm::CallInst* all = compat::call(ir, id, arguments);
        all->setConvergent();
        llvm::Value* result = llvm::PoisonValue::get(f.getReturnType());
        for (unsigned k = 0; k < sums; ++k)
            result = ir.CreateInsertElement(result, ir.CreateExtractValue(all, k), std::uint64_t{k});
        return result;
    }

    /// LLVM has had these orders for the scope of a card only since release 20.
    llvm::Value* assembly(const std::string& text, const char* registers, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments) {
        llvm::SmallVector<llvm::Type*, 2> types;
        for (llvm::Value* v : arguments) types.push_back(v->getType());
        auto* type = llvm::FunctionType::get(result, types, false);
        return ir.CreateCall(llvm::InlineAsm::get(type, text, std::string(registers) + "~{memory}", true), arguments);
    }

    /// A function that loads or stores a word of the card's memory.
    void define_word(const char* name, const char* text) {
        define(name, [&](llvm::Function& f) -> llvm::Value* {
            llvm::Value* word = ir.CreateAddrSpaceCast(f.getArg(0), llvm::PointerType::get(ir.getContext(), 1));
            if (f.arg_size() == 1) return assembly(text, "=l,l,", ir.getInt64Ty(), {word});
            return assembly(text, "l,l,", ir.getVoidTy(), {word, f.getArg(1)}), nullptr;
        });
    }

    void define(const char* name, llvm::function_ref<llvm::Value*(llvm::Function&)> body) {
        llvm::Function* function = module_.getFunction(name);
        if (!function) return;
        ir.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", function));
        llvm::Value* result = body(*function);
        result ? ir.CreateRet(result) : ir.CreateRetVoid();
        function->setLinkage(llvm::Function::InternalLinkage);
        function->addFnAttr(llvm::Attribute::AlwaysInline);
    }

    llvm::Value* shared() {
        constexpr unsigned space = 3;
        auto* type = llvm::ArrayType::get(ir.getInt8Ty(), std::max<std::size_t>(shared_, 16));
        auto* memory =
            new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
                                     "block_memory", nullptr, llvm::GlobalValue::NotThreadLocal, space);
        memory->setAlignment(llvm::Align(16));
        return ir.CreateAddrSpaceCast(memory, ir.getPtrTy());
    }

    llvm::Module& module_;
    llvm::IRBuilder<> ir;
    std::size_t shared_;
};

/// Marks the functions that the host launches, with their number of threads.
void mark_kernels(llvm::Module& module) {
    llvm::LLVMContext& context = module.getContext();
    auto number = [&](int n) {
        return llvm::ConstantAsMetadata::get(
            llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), static_cast<std::uint64_t>(n)));
    };
    llvm::NamedMDNode* annotations = module.getOrInsertNamedMetadata("nvvm.annotations");
    for (llvm::Function& f : module) {
        if (f.isDeclaration() || !f.hasExternalLinkage()) continue;
        auto annotate = [&](const char* name, int value) {
            annotations->addOperand(llvm::MDNode::get(
                context, {llvm::ConstantAsMetadata::get(&f), llvm::MDString::get(context, name), number(value)}));
        };
        annotate("kernel", 1);
        annotate("maxntidx", block_threads);
        if (int blocks = 0; f.hasFnAttribute(gpu::blocks_each_attribute) &&
                            !f.getFnAttribute(gpu::blocks_each_attribute).getValueAsString().getAsInteger(10, blocks))
            annotate("minctasm", blocks);
    }
    compat::upgrade_annotations(module);
}

/// The alignment stated by accesses decides whether neighbouring ones are merged.
void raise_alignment(llvm::Module& module) {
    const llvm::DataLayout& layout = module.getDataLayout();
    for (llvm::Function& f : module)
        for (llvm::Instruction& inst : llvm::instructions(f)) {
            llvm::Value* pointer = llvm::getLoadStorePointerOperand(&inst);
            if (!pointer) continue;
            const llvm::Align align =
                std::max(llvm::getLoadStoreAlignment(&inst), llvm::getKnownAlignment(pointer, layout, &inst));
            if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst)) load->setAlignment(align);
            if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst)) store->setAlignment(align);
        }
}

/// Relaxed stores as LLVM writes them only since release 20; earlier ones take the scope of the whole system. What is
/// stored there is alone in its function's memory: accesses to other arrays may change places with it.
void write_relaxed_stores(llvm::Module& module) {
    llvm::SmallVector<llvm::StoreInst*, 8> stores;
    for (llvm::Function& f : module)
        for (llvm::Instruction& inst : llvm::instructions(f))
            if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst); store && store->isAtomic()) stores.push_back(store);
    for (llvm::StoreInst* store : stores) {
        llvm::IRBuilder<> ir(store);
        llvm::Value* value = store->getValueOperand();
        const unsigned bits = value->getType()->getIntegerBitWidth();
        if (bits == 8) value = ir.CreateZExt(value, ir.getInt16Ty());  // there are no narrower registers
        const char* value_register = bits == 64 ? "l,l" : bits == 32 ? "l,r" : "l,h";
        llvm::Value* to = ir.CreateAddrSpaceCast(store->getPointerOperand(), llvm::PointerType::get(ir.getContext(), 1));
        auto* type = llvm::FunctionType::get(ir.getVoidTy(), {to->getType(), value->getType()}, false);
        const std::string text = "st.relaxed.gpu.global.u" + std::to_string(bits) + " [$0], $1;";
        llvm::CallInst* call = ir.CreateCall(llvm::InlineAsm::get(type, text, value_register, true), {to, value});
        call->setOnlyAccessesArgMemory();
        call->setDoesNotThrow();
        store->eraseFromParent();
    }
}

}  // namespace

void prepare_for_ptx(llvm::Module& module) {
    static const auto& layout = *new llvm::DataLayout(make_machine({75, 80})->createDataLayout());  // never destroyed
    compat::set_triple(module, llvm::Triple(triple));
    module.setDataLayout(layout);
}

std::string generate_ptx(llvm::Module& module, const PtxTarget& target, std::size_t shared_bytes) {
    const emit::LlvmUse use(schedule::tuning::compile_bytes_card);
    mark_kernels(module);
    raise_alignment(module);
    Bodies(module, shared_bytes).define();
    write_relaxed_stores(module);
    const auto machine = make_machine(target);
    llvm::legacy::PassManager first, passes;
    for (llvm::legacy::PassManager* manager : {&first, &passes})  // otherwise all memory is treated alike
        manager->add(llvm::createTargetTransformInfoWrapperPass(machine->getTargetIRAnalysis()));
    first.add(llvm::createAlwaysInlinerLegacyPass());
    first.add(llvm::createEarlyCSEPass());
    first.add(llvm::createCFGSimplificationPass());
    first.run(module);
    share_offsets(module);
    passes.add(llvm::createBasicAAWrapperPass());
    passes.add(llvm::createLoadStoreVectorizerPass());
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    check(!machine->addPassesToEmitFile(passes, stream, nullptr, compat::assembly_file), "PTX can be written");
    passes.run(module);
    return std::string(text);
}

}  // namespace sinter::codegen
