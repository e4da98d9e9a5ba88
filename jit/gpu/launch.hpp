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

/// What one of several cards executes of a launch.
struct Share {
    const card::Launch& numbers;            ///< of this part
    std::int64_t first = 0, extent = 0;     ///< in units of the kernel's, and of points or chunks (card::Cut)
    const std::vector<bool>& is_on_device;  ///< by buffer; pointers are where element 0 would be
    std::span<void* const> states = {};     ///< if not of the launch alone
};

/// The parameters of a kernel, in order (kernel.hpp). Refers to what it is made from.
class Parameters {
  public:
    /// `pointers`: those of the buffers, followed by the failure record. `guard`: a pointer to a byte, or null. `share`: of
    /// kernels that execute parts, else null.
    Parameters(const lower::Kernel& kernel, const card::Launch& numbers, const std::int64_t* sizes,
               std::span<void*> pointers, const void* const& guard, std::span<void*> states, const Share* share = nullptr);
    Parameters(const Parameters&) = delete;
    Parameters& operator=(const Parameters&) = delete;

    std::span<void*> pointers() { return parameters_; }

  private:
    std::array<std::int64_t, 5> numbers_;
    std::vector<void*> parameters_;
};

/// Buffers that the device cannot address are copied there and back. Returns when the device has begun, or, if something has
/// to be copied back or checks may fail, when everything is done.
void launch_kernel(Device& device, Memory& memory, Sorter& sorter, const Program& program, const card::Launch& numbers,
                   const lower::Kernel& kernel, const runtime::Launch& launch);
/// The same for a part, whose kernels `program` has. If checks may fail, the launch has a record.
void launch_share(Device& device, Memory& memory, Sorter& sorter, const Program& program, const Share& share,
                  const lower::Kernel& kernel, const runtime::Launch& launch);

}  // namespace sinter::gpu
