// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events in a card's stream, and the time between two of them by the card's clock.
#pragma once

#include "jit/gpu/cuda/context.hpp"
#include "jit/gpu/device/device.hpp"

#include <memory>

namespace sinter::gpu {

std::unique_ptr<Mark> mark_stream(cuda::CardContext& context);
std::unique_ptr<runtime::Stopwatch> start_stopwatch(cuda::CardContext& context);

}  // namespace sinter::gpu
