// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits kernels for the card from loop IR, as LLVM IR in which the hardware is a handful of functions (builtin_names.hpp).
///
/// All kernels have the same list of parameters: all buffers, all sizes, the failure record, the guard, then the number of
/// points, the number of chunks, the length of chunks, the arrays through which blocks communicate (card::states_of), and
/// those with the bits of claimed elements (card::Scatters). Kernels for parts of launches (card::Schedule::is_part) have
/// the first index of the outermost axis, or chunk, in units (card::unit_of), and the number of them before these arrays.
///
/// The guard is null or points to a byte; if that byte is 0, no thread does anything.
#pragma once

#include "jit/gpu/emit/builtin_names.hpp"
#include "lower/kernel.hpp"
#include "schedule/card/launch.hpp"

#include <llvm/IR/Module.h>

#include <cstddef>

namespace sinter::gpu {

using card::Role;
using schedule::CapturedUpdate;

/// Adds the kernels of a way, named by role. Returns the number of bytes of memory that a block needs.
std::size_t emit_kernels(llvm::Module& module, const lower::Kernel& kernel, const card::Schedule& schedule);

}  // namespace sinter::gpu
