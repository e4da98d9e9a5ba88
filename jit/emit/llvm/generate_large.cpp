// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As LLVM's addPassesToEmitFile, except for passes that would undo bound_blocks, and for passes over many blocks at once,
// which take more than linear time: combining instructions along traces, moving them out of loops and to their uses, and
// finding equal ones in other blocks.
#include "jit/emit/llvm/generate_large.hpp"

#include "jit/emit/llvm/bound_blocks.hpp"
#include "jit/emit/llvm/left_out.hpp"
#include "run/backend.hpp"
#include "support/check.hpp"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Transforms/Scalar.h>

namespace sinter::emit {

namespace {

void simplify(llvm::Module& module, llvm::TargetMachine& machine) {
    llvm::legacy::PassManager passes;
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
    passes.add(llvm::createEarlyCSEPass());
    passes.run(module);
}

void bound_functions(llvm::Module& module, std::size_t most_stack) {
    for (llvm::Function& f : module) {
        if (!is_large(f)) continue;
        if (const std::size_t bytes = bound_blocks(f); bytes > most_stack)
            throw runtime::CodeTooLarge(
                fmt::format("code of {} instructions needs {} bytes of stack for values that it uses much later; split "
                            "the function, or keep some of its results in arrays (force)",
                            f.getInstructionCount(), bytes));
    }
}

void leave_out_slow_passes(llvm::TargetPassConfig& generation) {
    for (llvm::AnalysisID pass : {&llvm::MachineCombinerID, &llvm::EarlyMachineLICMID, &llvm::MachineLICMID,
                                  &compat::machine_cse(), &compat::machine_sinking()})
        generation.disablePass(pass);
}

}  // namespace

bool has_large_function(const llvm::Module& module) { return llvm::any_of(module, is_large); }

void generate_large(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& stream,
                    llvm::CodeGenFileType type, std::size_t most_stack) {
    static auto& left_out = *new LeftOut(true);  // never destroyed
    module.getContext().setOptPassGate(left_out);
    simplify(module, machine);
    bound_functions(module, most_stack);
    auto& target = static_cast<compat::CodeGenTargetMachine&>(machine);
    llvm::legacy::PassManager passes;
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
    llvm::TargetPassConfig* generation = target.createPassConfig(passes);  // the pass manager owns it and what follows
    auto* functions = new llvm::MachineModuleInfoWrapperPass(&target);
    generation->setDisableVerify(true);
    leave_out_slow_passes(*generation);
    passes.add(generation);
    passes.add(functions);
    check(!generation->addISelPasses(), "the target has instructions");
    generation->addMachinePasses();
    generation->setInitialized();
    const bool refused = target.addAsmPrinter(passes, stream, nullptr, type, functions->getMMI().getContext());
    check(!refused, "the target can emit object files");
    passes.add(llvm::createFreeMachineFunctionPass());
    passes.run(module);
}

}  // namespace sinter::emit
