// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/device/code_cache.hpp"

#include "support/build_id.hpp"
#include "support/check.hpp"
#include "support/disk_cache.hpp"
#include "support/dump.hpp"
#include "support/recorder.hpp"
#include "support/verifying.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace sinter::gpu {

namespace {

void verify(const llvm::Module& module) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (is_verifying() && llvm::verifyModule(module, &stream)) fail_check("generated code: " + message, location::current());
}

std::string text_of(const llvm::Module& module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
}

std::string generate(Device& device, llvm::function_ref<std::size_t(llvm::Module&)> emit) {
    const StageTimer timer("generate code");
    llvm::LLVMContext context;
    context.setDiscardValueNames(true);
    llvm::Module module("sinter", context);
    device.prepare(module);
    const std::size_t shared_bytes = emit(module);
    verify(module);
    if (dumps("llvm")) dump("llvm", text_of(module));
    return device.generate(module, shared_bytes);
}

/// What is kept under `key`, else what is made.
std::string find_or(const std::string& key, bool used, llvm::function_ref<std::string()> make) {
    DiskCache& disk = DiskCache::shared();
    if (used)
        if (std::optional<std::string> found = disk.find(key)) return std::move(*found);
    std::string made = make();
    if (used) disk.store(key, made);
    return made;
}

}  // namespace

std::unique_ptr<Program> find_or_make(Device& device, const std::string& what, const std::string& name,
                                      llvm::function_ref<std::size_t(llvm::Module&)> emit) {
    const std::string generated = "ptx " + build_id() + "\n" + device.architecture() + "\n" + what;
    const std::string assembled = "cubin " + build_id() + "\n" + device.identity() + "\n" + what;
    const bool used = device.is_cached();
    const std::string code = find_or(assembled, used && device.assembles(), [&] {
        const std::string text = find_or(generated, used, [&] { return generate(device, emit); });
        return device.assemble(text, name);
    });
    return device.load(code, name);
}

}  // namespace sinter::gpu
