// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits LLVM IR for loop IR.
#pragma once

#include "jit/emit/arguments.hpp"
#include "lower/kernel.hpp"
#include "schedule/schedule.hpp"

#include <llvm/IR/Module.h>

#include <cstddef>

namespace sinter::emit {

using schedule::Machine;
using schedule::Schedule;

/// Adds `void kernel(const Arguments*, const Tile*)`, which executes a tile. For a chunked reduce, also adds `finish`, of
/// the same type, which combines the partial results of all chunks for the points of a tile and executes what follows. For a
/// chunked scan, also adds `chain`, which combines what comes before the tile's chunk with the chunk's total; the result is
/// what comes before the next chunk.
void emit_kernel(llvm::Module& module, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule);

}  // namespace sinter::emit
