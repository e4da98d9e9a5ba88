// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a loaded kernel on a launch's buffers.
#pragma once

#include "jit/gpu/device/memory.hpp"
#include "jit/gpu/sort/sort.hpp"
#include "run/backend.hpp"
#include "schedule/card/launch.hpp"

#include <array>
#include <span>
#include <vector>

namespace sinter::gpu {

namespace card = schedule::card;

/// The parameters of a kernel, in order (kernel.hpp). Refers to what it is made from.
class Parameters {
  public:
    /// `pointers`: those of the buffers, followed by the failure record. `guard`: a pointer to a byte, or null.
    Parameters(const lower::Kernel& kernel, const card::Launch& numbers, const std::int64_t* sizes,
               std::span<void*> pointers, const void* const& guard, std::span<void*> states);
    Parameters(const Parameters&) = delete;
    Parameters& operator=(const Parameters&) = delete;

    std::span<void*> pointers() { return parameters_; }

  private:
    std::array<std::int64_t, 3> numbers_;
    std::vector<void*> parameters_;
};

/// Buffers that the device cannot address are copied there and back. Returns when the device has begun, or, if something has
/// to be copied back or checks may fail, when everything is done.
void launch_kernel(Device& device, Memory& memory, Sorter& sorter, const Program& program, const card::Launch& numbers,
                   const lower::Kernel& kernel, const runtime::Launch& launch);

}  // namespace sinter::gpu
