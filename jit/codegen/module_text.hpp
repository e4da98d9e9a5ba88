// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace sinter::codegen {

std::string text_of(const llvm::Module& module);

/// What the settings ask for: a module that is well-formed (else InternalError), its text on stderr.
void verify(const llvm::Module& module);
void show(const llvm::Module& module);

}  // namespace sinter::codegen
