// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The recordings of a card, which are CUDA graphs.
#pragma once

#include "jit/gpu/cuda/context.hpp"
#include "jit/gpu/device/device.hpp"

#include <functional>
#include <memory>

namespace sinter::gpu {

/// Implements Device::record().
std::unique_ptr<Recording> record_graph(cuda::CardContext& context, std::size_t streams, std::size_t events,
                                        const std::function<void(Streams&)>& start);

}  // namespace sinter::gpu
