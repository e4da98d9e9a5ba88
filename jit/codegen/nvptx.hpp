// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiles the LLVM IR of kernels to PTX.
#pragma once

#include "jit/generator/card_code.hpp"

#include <llvm/IR/Module.h>

#include <string>

namespace sinter::codegen {

/// Sets the triple and the data layout.
void prepare_for_ptx(llvm::Module& module);
/// Gives the functions of builtin_names.hpp their instructions, and generates code. Thread-safe.
std::string generate_ptx(llvm::Module& module, const PtxTarget& target, std::size_t shared_bytes);

}  // namespace sinter::codegen
