// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/codegen/module_text.hpp"

#include "support/check.hpp"
#include "support/text/dump.hpp"
#include "support/verifying.hpp"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace sinter::codegen {

std::string text_of(const llvm::Module& module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
}

void verify(const llvm::Module& module) {
    if (!is_verifying()) return;
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (llvm::verifyModule(module, &stream)) fail_check("generated code: " + message, location::current());
}

void show(const llvm::Module& module) {
    if (dumps("llvm")) dump("llvm", text_of(module));
}

}  // namespace sinter::codegen
