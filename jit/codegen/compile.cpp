// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitter leaves little to clean up: vectors are explicit, and invariant code has been hoisted. One pass merges equal
// instructions (a loop's condition and body share work), then code is generated.
#include "jit/codegen/compile.hpp"

#include "jit/codegen/debug_info.hpp"
#include "jit/codegen/module_text.hpp"
#include "jit/codegen/target_machines.hpp"
#include "jit/emit/kernel.hpp"
#include "jit/emit/llvm/generate_large.hpp"
#include "jit/emit/llvm/left_out.hpp"
#include "jit/emit/llvm/llvm_use.hpp"
#include "schedule/tuning.hpp"
#include "support/check.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Scalar.h>

namespace sinter::codegen {

namespace {

using schedule::Machine;

/// What one compilation needs.
struct Compilation {
    llvm::LLVMContext context;
    Effort effort;
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<llvm::Module> module;
    llvm::SmallVector<char, 0> output;
};

/// The memory that LLVM may need for a kernel, generously estimated.
std::size_t memory_for(const lower::Kernel& kernel) {
    using namespace schedule::tuning;
    return compile_bytes + ir::count_instructions(kernel.body) * compile_bytes_each;
}

void take_machine(Compilation& compilation, const Machine& machine, Effort effort) {
    compilation.effort = effort;
    compilation.machine = target_machines(machine.vector_bits, effort).acquire();
}

void return_machine(Compilation& compilation, const Machine& machine) {
    target_machines(machine.vector_bits, compilation.effort).release(std::move(compilation.machine));
}

/// Calls f(compilation). If memory runs out meanwhile, everything that LLVM was working on is leaked: it cannot even be
/// destroyed.
template <class F>
void with_compilation(const lower::Kernel& kernel, const Machine& machine, Effort effort, F f) {
    const emit::LlvmUse use(memory_for(kernel));
    auto compilation = std::make_unique<Compilation>();
    take_machine(*compilation, machine, effort);
    try {
        f(*compilation);
    } catch (...) {
        static_cast<void>(compilation.release());
        throw;
    }
    compilation->module.reset();
    return_machine(*compilation, machine);
}

/// The alignment of the stack without a frame pointer.
constexpr int stack_bits = 128;

void make_module(Compilation& compilation, const lower::Kernel& kernel, const Machine& machine,
                 const schedule::Schedule& schedule) {
    compilation.context.setDiscardValueNames(true);
    compilation.module = std::make_unique<llvm::Module>("sinter", compilation.context);
    llvm::Module& module = *compilation.module;
    prepare_for(module, *compilation.machine);
    emit::emit_kernel(module, kernel, machine, schedule);
    const std::string width = std::to_string(machine.vector_bits);
    for (llvm::Function& f : module) {
        f.addFnAttr("prefer-vector-width", width);
        f.addFnAttr("min-legal-vector-width", width);
        // Only then is the stack aligned for whole vectors. Otherwise what is spilled crosses cache lines.
        if (machine.vector_bits > stack_bits) f.addFnAttr("frame-pointer", "all");
    }
    if (const auto origin = origin_of(kernel.name)) add_debug_info(module, *origin);
    verify(module);
    if (compilation.effort == Effort::full || !emit::has_large_function(module)) return;
    return_machine(compilation, machine);  // such code is generated in one way only
    take_machine(compilation, machine, Effort::full);
}

/// Uses up the module.
void generate(Compilation& compilation, llvm::CodeGenFileType type) {
    llvm::TargetMachine& machine = *compilation.machine;
    llvm::raw_svector_ostream stream(compilation.output);
    if (emit::has_large_function(*compilation.module))
        return emit::generate_large(*compilation.module, machine, stream, type, schedule::tuning::most_stack);
    static auto& left_out = *new emit::LeftOut(false);
    compilation.context.setOptPassGate(left_out);
    auto passes = std::make_unique<llvm::legacy::PassManager>();
    // otherwise passes assume that there are no vectors
    passes->add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
    passes->add(llvm::createEarlyCSEPass());
    const bool refused = machine.addPassesToEmitFile(*passes, stream, nullptr, type, true);
    check(!refused, "the target can emit object files");
    try {
        passes->run(*compilation.module);
    } catch (...) {
        static_cast<void>(passes.release());
        throw;
    }
}

}  // namespace

HostObject compile_object(const lower::Kernel& kernel, const Machine& machine, const schedule::Schedule& schedule,
                          Effort effort) {
    HostObject object;
    with_compilation(kernel, machine, effort, [&](Compilation& compilation) {
        make_module(compilation, kernel, machine, schedule);
        show(*compilation.module);
        generate(compilation, compat::object_file);
        object.bytes.assign(compilation.output.begin(), compilation.output.end());
        object.effort = compilation.effort;
    });
    return object;
}

runtime::KernelTexts compile_texts(const lower::Kernel& kernel, const Machine& machine, const schedule::Schedule& schedule) {
    runtime::KernelTexts texts;
    with_compilation(kernel, machine, Effort::full, [&](Compilation& compilation) {
        make_module(compilation, kernel, machine, schedule);
        texts.llvm_ir = text_of(*compilation.module);
        generate(compilation, compat::assembly_file);
        texts.assembly.assign(compilation.output.begin(), compilation.output.end());
    });
    return texts;
}

}  // namespace sinter::codegen
