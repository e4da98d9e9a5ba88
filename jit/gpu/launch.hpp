// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a loaded kernel on a launch's buffers.
#pragma once

#include "jit/gpu/memory.hpp"
#include "jit/gpu/schedule.hpp"
#include "jit/gpu/sort.hpp"
#include "run/backend.hpp"

namespace sinter::gpu {

/// Buffers that the device cannot address are copied there and back. Returns when the device has begun; when all is done if
/// something has to be copied back, or checks may fail.
void launch_kernel(Device& device, Memory& memory, Sorter& sorter, const Program& program, const Geometry& geometry,
                   const lower::Kernel& kernel, const runtime::Launch& launch);

}  // namespace sinter::gpu
