// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether this machine has a driver for a GPU, for people.
#pragma once

#include <string>

namespace sinter::runtime {

/// "CUDA 12.4, 1 device", or why there is none.
std::string describe_gpu_driver();

}  // namespace sinter::runtime
