// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace sinter::codegen {

std::string text_of(const llvm::Module& module);

/// Does what the settings ask for: checks that the module is well-formed (InternalError if not), and writes its text to
/// stderr.
void verify(const llvm::Module& module);
void show(const llvm::Module& module);

}  // namespace sinter::codegen
