// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keeps code for a device on disk once it has been made: what is generated, for all devices of an architecture, and what a
/// driver makes from that.
#pragma once

#include "jit/gpu/device/device.hpp"

namespace sinter::gpu {

/// The program made from this code, unless an earlier process has made it. `what`: everything that decides it.
std::unique_ptr<Program> find_or_make(Device& device, const std::string& what, const std::string& name,
                                      const codegen::CardCode& code);

}  // namespace sinter::gpu
