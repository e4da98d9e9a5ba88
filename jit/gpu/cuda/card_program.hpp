// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels on a card: from PTX to machine code, by the driver, and to launches.
#pragma once

#include "jit/gpu/cuda/context.hpp"
#include "jit/gpu/device/device.hpp"

#include <memory>
#include <string>

namespace sinter::gpu {

/// Machine code of `ptx`. `name`: the kernel's, for messages.
std::string assemble_ptx(cuda::CardContext& context, const std::string& ptx, const std::string& name);

/// Loaded when it is first launched, and again in a new context. `threads_each`: that a multiprocessor has at once.
std::unique_ptr<Program> load_program(cuda::CardContext& context, std::string image, std::string name, int threads_each);

}  // namespace sinter::gpu
