// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of single processors, for which LLVM has no portable name.
#pragma once

#include "schedule/machine.hpp"

#include <llvm/IR/IRBuilder.h>

namespace sinter::emit {

using schedule::Machine;

/// y * 2^n, rounded once. For machines with mask registers; null for scalars and vectors that do not fill registers.
llvm::Value* scale_by_instruction(llvm::IRBuilder<>& ir, llvm::Value* y, llvm::Value* n);

/// The lanes of `value`, which fills a register at most, that are set in `mask`; what follows them is undefined. For
/// machines with mask registers.
llvm::Value* compress_by_instruction(llvm::IRBuilder<>& ir, llvm::Value* value, llvm::Value* mask);

/// The bits of a register whose parts an instruction can put into any order: 128 with NEON, 256 with AVX2, 0 if there is no
/// such instruction.
int permutable_bits(llvm::IRBuilder<>& ir, const Machine& machine);

/// Byte l is byte order[l] of `value`; both have 16. For machines with permutable registers.
llvm::Value* permute_bytes(llvm::IRBuilder<>& ir, const Machine& machine, llvm::Value* value, llvm::Value* order);

/// Word l is word order[l] of `value`; both have eight of 32 bits. For machines with permutable registers of 256 bits.
llvm::Value* permute_words(llvm::IRBuilder<>& ir, llvm::Value* value, llvm::Value* order);

/// Orders non-temporal stores before later stores. For machines that have them.
void store_fence(llvm::IRBuilder<>& ir);

/// LLVM's names of the features that make a processor one with mask registers.
llvm::ArrayRef<llvm::StringRef> mask_register_features();

}  // namespace sinter::emit
