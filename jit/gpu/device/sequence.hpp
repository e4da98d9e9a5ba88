// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of fixed extents that are launched one after another, again and again, as one launch if the device can do that.
#pragma once

#include "jit/gpu/device/memory.hpp"
#include "run/backend.hpp"
#include "schedule/card/launch.hpp"

#include <memory>
#include <vector>

namespace sinter::gpu {

/// A kernel of a sequence, which outlives the sequence: it has no checks, and runs without the host.
struct Stage {
    const lower::Kernel* kernel;
    const std::int64_t* sizes;
    const schedule::card::Launch* numbers;
    const Program* program;
    std::vector<std::size_t> buffers;  ///< positions in the sequence's arrays
};

/// Null if there is too little to start for anything to be gained.
std::unique_ptr<const runtime::Sequence> make_sequence(std::shared_ptr<Device> device, std::shared_ptr<Memory> memory,
                                                       std::vector<Stage> stages);

}  // namespace sinter::gpu
