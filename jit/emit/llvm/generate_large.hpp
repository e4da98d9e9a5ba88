// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Generates code for modules with large functions, in time that is linear in their size.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>

namespace sinter::emit {

/// True if any function is large (bound_blocks.hpp).
bool has_large_function(const llvm::Module& module);

/// Writes the code of `module` as an object file or as assembly. Throws CodeTooLarge if a function needs more than
/// `most_stack` bytes for values that it needs much later.
void generate_large(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& stream,
                    llvm::CodeGenFileType type, std::size_t most_stack);

}  // namespace sinter::emit
