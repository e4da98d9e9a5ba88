// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiles a card's kernels for the host.
#pragma once

#include "jit/generator/card_code.hpp"

#include <llvm/IR/Module.h>

#include <cstddef>
#include <string>

namespace sinter::codegen {

/// Sets the triple and the data layout.
void prepare_for_emulation(llvm::Module& module);

Waits who_waits(const llvm::Module& module);

/// Adds the functions that take arrays (EmulatedCode), and compiles. Thread-safe.
std::string emulated_object(llvm::Module& module, std::size_t most_stack);

}  // namespace sinter::codegen
