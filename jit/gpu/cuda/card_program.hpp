// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels on a card: the driver turns PTX into machine code, which is launched.
#pragma once

#include "jit/gpu/cuda/context.hpp"
#include "jit/gpu/device/device.hpp"

#include <memory>
#include <string>

namespace sinter::gpu {

/// The machine code for `ptx`. `name` is that of the kernel, for messages.
std::string assemble_ptx(cuda::CardContext& context, const std::string& ptx, const std::string& name);

/// Loaded when it is first launched, and again in a new context. `threads_each`: the threads that a multiprocessor runs at
/// once.
std::unique_ptr<Program> load_program(cuda::CardContext& context, std::string image, std::string name, int threads_each);

}  // namespace sinter::gpu
