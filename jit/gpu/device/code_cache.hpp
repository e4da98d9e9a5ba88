// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Code for a device, on disk once it is made: what is generated, for all devices of an architecture, and what a driver
/// makes of it.
#pragma once

#include "jit/gpu/device/device.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace sinter::gpu {

/// The program of the module that `emit` fills, unless an earlier process has made it. `what`: all that decides the module.
/// `emit` returns how much memory a block needs.
std::unique_ptr<Program> find_or_make(Device& device, const std::string& what, const std::string& name,
                                      llvm::function_ref<std::size_t(llvm::Module&)> emit);

}  // namespace sinter::gpu
