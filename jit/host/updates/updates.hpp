// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a kernel that updates in another way than one point after another (schedule/ways/updates.hpp).
#pragma once

#include "jit/host/updates/update_launch.hpp"
#include "schedule/decision.hpp"

#include <memory>

namespace sinter::host {

/// The updates of a kernel. Thread-safe.
class Updates {
  public:
    Updates(UpdateKernels kernels, const std::shared_ptr<const Target>& target);

    /// `sizes`: the kernel's size table.
    schedule::UpdateWay choose(const std::int64_t* sizes, std::int64_t points, int threads) const;

    /// `in_order`: the unchanged kernel.
    void launch(const WayCode& in_order, const schedule::Decision& decision, const runtime::Launch& launch) const;

  private:
    std::int64_t elements(const std::int64_t* sizes) const { return sizes[kernels_.elements.index]; }

    UpdateKernels kernels_;
    KernelCode noted_, applied_, merged_;
};

}  // namespace sinter::host
