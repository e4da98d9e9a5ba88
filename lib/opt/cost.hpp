// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cost and the risk of instructions, as far as they matter for moving them.
#pragma once

#include "ir/function.hpp"

#include <vector>

namespace sinter::opt {

/// True if the instruction costs so much more than passing a scalar to a function that it is worth computing once outside.
bool is_expensive(ir::Op op, ir::Scalar type);
/// True if an instruction of the block, including nested ones, is expensive or a loop.
bool is_expensive(const ir::Block& block);
/// True if a function's body may be executed speculatively: nothing in it fails, and no loop runs forever.
bool is_speculative(const ir::Block& body);
/// The same for a block inside of a function. `divides`: the locals around it that are known not to be 0.
bool is_speculative(const ir::Block& block, std::vector<bool> divides);

}  // namespace sinter::opt
