// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a kernel that updates accumulators (lower/kernel.hpp), or other arrays beside loops or accumulators: runs of
/// points on several threads, each with arrays of its own to update, which are combined in order. The results' bits depend
/// on extents alone.
#pragma once

#include "jit/host/kernel_code.hpp"
#include "run/backend.hpp"
#include "schedule/decision.hpp"

#include <memory>
#include <vector>

namespace sinter::host {

/// Thread-safe.
class Accumulators {
  public:
    /// `kernel` accumulates (schedule/ways/updates.hpp).
    Accumulators(const lower::Kernel& kernel, const std::shared_ptr<const Target>& target);

    /// `code`: the kernel as it is, scheduled as `decision` says.
    void launch(const LoadedObject& object, const KernelCode& code, const schedule::Decision& decision,
                const runtime::Launch& launch) const;

    /// Arrays that one instruction updates together.
    struct Group {
        std::size_t first;                   ///< buffer
        std::vector<std::uint64_t> initial;  ///< empty for arrays that begin as copies of others
        std::vector<std::uint64_t> neutral;
        std::vector<std::size_t> bytes;  ///< of an element
        lower::SizeId elements;          ///< an entry of the kernel's size table
        std::unique_ptr<const KernelCode> merged;
    };

  private:
    std::vector<Group> groups_;
};

}  // namespace sinter::host
