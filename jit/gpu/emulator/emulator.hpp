// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The host in place of a card: the same LLVM IR, compiled for the host, with a fiber for every thread of a block.
#pragma once

#include "jit/gpu/device/device.hpp"

namespace sinter::gpu {

std::unique_ptr<Device> make_emulator();

}  // namespace sinter::gpu
