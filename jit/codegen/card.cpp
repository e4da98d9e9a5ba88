// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/codegen/card.hpp"

#include "jit/codegen/emulated.hpp"
#include "jit/codegen/module_text.hpp"
#include "jit/codegen/nvptx.hpp"
#include "jit/gpu/emit/kernel.hpp"
#include "jit/gpu/emit/sort/sort_kernels.hpp"
#include "support/match.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::codegen {

namespace {

/// Returns the number of bytes of memory that a block needs.
std::size_t emit(llvm::Module& module, const CardCode& code) {
    return match(
        code, [&](const CardKernels& kernels) { return gpu::emit_kernels(module, kernels.kernel, kernels.schedule); },
        [&](const SortKind& kind) { return gpu::emit_sort(module, kind); },
        [&](const Gather& gather) { return gpu::emit_gather(module, gather.element_bytes), std::size_t{0}; },
        [&](const RowNumbers&) { return gpu::emit_row_numbers(module), std::size_t{0}; });
}

struct CardModule {
    llvm::LLVMContext context;
    llvm::Module module;
    std::size_t shared_bytes = 0;

    /// `prepare` sets what has to be known before code is emitted.
    CardModule(const CardCode& code, void (*prepare)(llvm::Module&)) : module("sinter", context) {
        context.setDiscardValueNames(true);
        prepare(module);
        shared_bytes = emit(module, code);
    }
};

}  // namespace

std::string ptx_of(const CardCode& code, const PtxTarget& target) {
    CardModule made(code, prepare_for_ptx);
    verify(made.module);
    show(made.module);
    return generate_ptx(made.module, target, made.shared_bytes);
}

runtime::KernelTexts card_texts(const CardCode& code, const PtxTarget& target) {
    CardModule made(code, prepare_for_ptx);
    runtime::KernelTexts texts;
    texts.llvm_ir = text_of(made.module);
    texts.assembly = generate_ptx(made.module, target, made.shared_bytes);
    return texts;
}

EmulatedCode emulated_code(const CardCode& code, std::size_t most_stack) {
    CardModule made(code, prepare_for_emulation);
    verify(made.module);
    show(made.module);
    const Waits waits = who_waits(made.module);
    return {emulated_object(made.module, most_stack), made.shared_bytes, waits};
}

runtime::KernelTexts emulated_texts(const CardCode& code, const PtxTarget& target) {
    CardModule made(code, prepare_for_emulation);
    CardModule other(code, prepare_for_ptx);
    runtime::KernelTexts texts;
    texts.llvm_ir = text_of(made.module);
    texts.assembly = generate_ptx(other.module, target, other.shared_bytes);
    return texts;
}

}  // namespace sinter::codegen
