// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a loaded kernel on a launch's buffers.
#pragma once

#include "jit/host/kernel_code.hpp"
#include "schedule/tasks.hpp"

namespace sinter::host {

/// Task k, whose reduce range is the whole chunk.
emit::Tile tile_of(const schedule::Tasks& tasks, std::int64_t k);

/// The arguments of a launch with these tasks, without partial results and with ordinary stores.
emit::Arguments arguments_of(const runtime::Launch& launch, const schedule::Tasks& tasks, const lower::Kernel& kernel);

/// Executes all tasks, on several threads if that pays, and then combines partial results. Returns true if it offered them
/// to several threads.
bool launch_kernel(const LoadedObject& object, const KernelCode& kernel, const schedule::Tasks& tasks,
                   const runtime::Launch& launch);

}  // namespace sinter::host
