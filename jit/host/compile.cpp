// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitter leaves little to clean up: vectors are explicit and invariant code has been hoisted. One pass merges equal
// instructions (a loop's condition and body share work), then code is generated.
#include "jit/host/code_object.hpp"

#include "support/check.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Scalar.h>

#include <cstdlib>

namespace sinter::host {

namespace {

/// A target machine on loan.
class Loan {
  public:
    explicit Loan(const Target& target) : target_(target), machine_(target.acquire()) {}
    ~Loan() { target_.release(std::move(machine_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    llvm::TargetMachine* operator->() { return machine_.get(); }

  private:
    const Target& target_;
    std::unique_ptr<llvm::TargetMachine> machine_;
};

/// Leaves out passes of the default code generation that find nothing in this code, or cost more than they bring: addresses
/// are simple already, loops hand-made.
class Trim : public llvm::OptPassGate {
  public:
    bool isEnabled() const override { return true; }
    bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) override {
        static constexpr llvm::StringRef left_out[] = {
            "Loop Strength Reduction",
            "Canonicalize Freeze Instructions in Loops",
            "Constant Hoisting",
            "Post RA top-down list latency scheduler",
        };
        return !llvm::is_contained(left_out, pass);
    }
};

std::unique_ptr<llvm::Module> make_module(llvm::LLVMContext& context, const lower::Kernel& kernel, const Target& target,
                                          const emit::Schedule& schedule, Loan& machine) {
    static Trim trim;
    context.setOptPassGate(trim);
    context.setDiscardValueNames(true);
    auto module = std::make_unique<llvm::Module>("sinter", context);
    module->setTargetTriple(machine->getTargetTriple().str());
    module->setDataLayout(machine->createDataLayout());
    emit::emit_kernel(*module, kernel, target.machine(), schedule);
    const std::string width = std::to_string(target.machine().vector_bits);
    for (llvm::Function& f : *module) {
        f.addFnAttr("prefer-vector-width", width);
        f.addFnAttr("min-legal-vector-width", width);
    }
    static const bool verify = std::getenv("SINTER_VERIFY") != nullptr;
    if (verify) {
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (llvm::verifyModule(*module, &stream)) fail_check("generated code: " + message, location::current());
    }
    return module;
}

template <class Stream>
void generate(llvm::Module& module, Loan& machine, Stream& stream, llvm::CodeGenFileType type) {
    llvm::legacy::PassManager passes;
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine->getTargetIRAnalysis()));  // else passes assume no vectors
    passes.add(llvm::createEarlyCSEPass());
    const bool refused = machine->addPassesToEmitFile(passes, stream, nullptr, type, true);
    check(!refused, "the target can emit object files");
    passes.run(module);
}

}  // namespace

std::string compile_object(const lower::Kernel& kernel, const Target& target, const emit::Schedule& schedule) {
    llvm::LLVMContext context;
    Loan machine(target);
    auto module = make_module(context, kernel, target, schedule, machine);
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream stream(object);
    generate(*module, machine, stream, llvm::CodeGenFileType::ObjectFile);
    return {object.begin(), object.end()};
}

runtime::KernelTexts compile_texts(const lower::Kernel& kernel, const Target& target, const emit::Schedule& schedule) {
    llvm::LLVMContext context;
    Loan machine(target);
    auto module = make_module(context, kernel, target, schedule, machine);
    runtime::KernelTexts texts;
    llvm::raw_string_ostream ir(texts.llvm_ir);
    module->print(ir, nullptr);
    llvm::SmallVector<char, 0> assembly;
    llvm::raw_svector_ostream stream(assembly);
    generate(*module, machine, stream, llvm::CodeGenFileType::AssemblyFile);
    texts.assembly.assign(assembly.begin(), assembly.end());
    return texts;
}

}  // namespace sinter::host
