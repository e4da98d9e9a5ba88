// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/codegen/emulated.hpp"

#include "jit/codegen/target_machines.hpp"
#include "jit/emit/llvm/compat.hpp"
#include "jit/emit/llvm/generate_large.hpp"
#include "jit/emit/llvm/llvm_use.hpp"
#include "jit/gpu/emit/builtin_names.hpp"
#include "schedule/tuning.hpp"
#include "support/check.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Scalar.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <vector>

namespace sinter::codegen {

namespace {

namespace builtin = gpu::builtin;

/// The single machine, and the number of its users. Never destroyed.
struct Emulation {
    std::mutex mutex;
    std::unique_ptr<llvm::TargetMachine> machine = Host(false).machine(Effort::quick);
};

Emulation& emulation() {
    static auto& shared = *new Emulation;
    return shared;
}

constexpr const char* call_suffix = ".call";

/// Adds to every kernel a function that takes an array of pointers to its parameters, as the driver does.
void add_calls(llvm::Module& module) {
    std::vector<llvm::Function*> kernels;
    for (llvm::Function& f : module)
        if (!f.isDeclaration() && f.hasExternalLinkage()) kernels.push_back(&f);
    llvm::IRBuilder<> ir(module.getContext());
    for (llvm::Function* kernel : kernels) {
        auto* call = llvm::Function::Create(llvm::FunctionType::get(ir.getVoidTy(), {ir.getPtrTy()}, false),
                                            llvm::Function::ExternalLinkage, kernel->getName() + call_suffix, module);
        ir.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", call));
        llvm::SmallVector<llvm::Value*, 16> parameters;
        for (llvm::Argument& argument : kernel->args()) {
            llvm::Value* at = ir.CreateConstGEP1_64(ir.getPtrTy(), call->getArg(0), argument.getArgNo());
            parameters.push_back(ir.CreateLoad(argument.getType(), ir.CreateLoad(ir.getPtrTy(), at)));
        }
        ir.CreateCall(kernel, parameters);
        ir.CreateRetVoid();
    }
}

}  // namespace

void prepare_for_emulation(llvm::Module& module) {
    const std::lock_guard lock(emulation().mutex);
    prepare_for(module, *emulation().machine);
}

Waits who_waits(const llvm::Module& module) {
    if (module.getFunction(builtin::pause)) return Waits::for_blocks;
    const char* const waiting[] = {builtin::barrier,          builtin::from_lane,    builtin::peers,
                                   builtin::ballot,           builtin::warp_barrier, builtin::multiply_add,
                                   builtin::multiply_add_tf32};
    const bool threads =
        std::any_of(std::begin(waiting), std::end(waiting), [&](const char* name) { return module.getFunction(name); });
    return threads ? Waits::in_block : Waits::no;
}

std::string emulated_object(llvm::Module& module, std::size_t most_stack) {
    add_calls(module);
    const emit::LlvmUse use(schedule::tuning::compile_bytes_card);
    const std::lock_guard lock(emulation().mutex);
    llvm::TargetMachine& machine = *emulation().machine;
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    if (emit::has_large_function(module)) {
        emit::generate_large(module, machine, stream, compat::object_file, most_stack);
    } else {
        llvm::legacy::PassManager passes;
        passes.add(llvm::createEarlyCSEPass());
        check(!machine.addPassesToEmitFile(passes, stream, nullptr, compat::object_file), "the host can emit object files");
        passes.run(module);
    }
    return {bytes.data(), bytes.size()};
}

}  // namespace sinter::codegen
