// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What instructions cost and risk, as far as moving them is concerned.
#pragma once

#include "ir/function.hpp"

namespace sinter::opt {

/// Costs so much more than passing a scalar to a function that it is worth being computed once outside.
bool is_expensive(ir::Op op, ir::Scalar type);
/// An instruction of the block, nested ones included, is expensive or a loop.
bool is_expensive(const ir::Block& block);
/// Executing a function's body when it would not have been executed has no effect: nothing fails, no loop runs forever.
bool is_speculative(const ir::Block& body);

}  // namespace sinter::opt
