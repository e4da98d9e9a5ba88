// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Describes the GPU driver of this machine to people.
#pragma once

#include <string>

namespace sinter::runtime {

/// For example "CUDA 12.4, 1 device", or why there is none.
std::string describe_gpu_driver();

}  // namespace sinter::runtime
