// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a loaded kernel on a launch's buffers.
#pragma once

#include "jit/host/code_object.hpp"
#include "jit/host/schedule.hpp"

namespace sinter::host {

/// For a launch with this tiling, without partial results and with ordinary stores.
emit::Arguments arguments_of(const runtime::Launch& launch, const Tiling& tiling);

/// Executes all tiles, on several threads where that pays, then combines partial results.
void launch_kernel(const LoadedObject& object, const Tiling& tiling, const Traits& traits, const lower::Kernel& kernel,
                   const runtime::Launch& launch);

}  // namespace sinter::host
