// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a program operation by operation, and makes every intermediate array in full. This defines the meaning of
/// programs, and is the oracle with which optimised, fused and generated code is compared.
#pragma once

#include "interp/array.hpp"
#include "ir/program.hpp"
#include "support/foreign.hpp"
#include "support/threads/run_control.hpp"

namespace sinter::interp {

/// The program's results. Folds go strictly from left to right, starting with init. Throws ShapeError (guards, extents,
/// views out of range), IndexError, DomainError and Stopped, all with the operation's site.
std::vector<ArrayValue> interpret(const ir::Program& program, std::vector<ArrayValue> inputs,
                                  std::span<const std::int64_t> size_arguments, std::span<const ForeignRef> functions = {},
                                  RunControl* control = nullptr);

}  // namespace sinter::interp
