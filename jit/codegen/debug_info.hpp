// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells debuggers and profilers about generated code.
#pragma once

#include "support/origin.hpp"

#include <llvm/IR/Module.h>

namespace sinter::codegen {

/// Gives all functions the kernel's name, and all their instructions the line in the user's program from which the kernel
/// comes.
void add_debug_info(llvm::Module& module, const Origin& origin);

}  // namespace sinter::codegen
