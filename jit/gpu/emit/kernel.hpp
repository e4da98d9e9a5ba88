// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loop IR to kernels for the card, as LLVM IR in which the hardware is a handful of functions (builtin_names.hpp).
///
/// Kernels have one parameter list: all buffers, all sizes, the failure record, the guard, then points, chunks, the chunks'
/// length, and the arrays through which blocks know of each other (card::states_of).
///
/// The guard is null or points at a byte; if that is 0, no thread does anything.
#pragma once

#include "jit/gpu/emit/builtin_names.hpp"
#include "lower/kernel.hpp"
#include "schedule/card/launch.hpp"

#include <llvm/IR/Module.h>

#include <cstddef>

namespace sinter::gpu {

using card::Role;
using schedule::CapturedUpdate;

/// Adds the kernels of a way, named by role. Returns how much memory a block needs.
std::size_t emit_kernels(llvm::Module& module, const lower::Kernel& kernel, const card::Schedule& schedule);

}  // namespace sinter::gpu
