// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recordings of a card: CUDA graphs.
#pragma once

#include "jit/gpu/cuda/context.hpp"
#include "jit/gpu/device/device.hpp"

#include <functional>
#include <memory>

namespace sinter::gpu {

/// As Device::record().
std::unique_ptr<Recording> record_graph(cuda::CardContext& context, const std::function<void()>& start);

}  // namespace sinter::gpu
