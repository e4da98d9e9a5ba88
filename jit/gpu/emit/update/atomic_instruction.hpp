// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions that update memory which many threads update at once.
#pragma once

#include "lower/kernel.hpp"

#include <llvm/IR/Instructions.h>

namespace sinter::gpu {

/// Updates of different elements may be seen in any order.
constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;

/// The instruction for an operation of schedule::UpdateFact::atomic.
llvm::AtomicRMWInst::BinOp atomic_instruction(ir::Op op, lower::Scalar type);

}  // namespace sinter::gpu
