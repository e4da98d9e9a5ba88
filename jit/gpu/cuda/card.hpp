// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A card behind the CUDA driver.
#pragma once

#include "jit/gpu/device/device.hpp"

namespace sinter::gpu {

/// Card `number` of the driver. Throws DeviceError if there is none, or if it is older than compute capability 7.5.
std::unique_ptr<Device> open_card(int number);

}  // namespace sinter::gpu
