// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a kernel whose points store to computed elements of arrays that begin as copies runs where points may meet at one
/// (schedule/facts/collisions.hpp).
#pragma once

#include "jit/host/updates/updates.hpp"

#include <optional>

namespace sinter::host {

/// The kernel with an update in place of these stores, whose operator takes the new value: so it may be executed as updates
/// are, by several threads and still with the bits of one point after another. Nothing if the stores are not the end of the
/// body, or of a cond that ends it, or not all of them store to one element.
std::optional<lower::Kernel> with_update(const lower::Kernel& kernel);

/// What is known of such stores of a kernel, which may have none. Thread-safe.
class Overwriting {
  public:
    Overwriting(const KernelCode& code, const std::shared_ptr<const Target>& target);

    /// Whether there are ranks, on which the same values have to win. Only a kernel with such stores has to know.
    bool among_ranks() const;
    /// Consecutive points, the same in the flat form, that go one after another. `sizes`: the kernel's size table.
    std::int64_t points_together(const std::int64_t* sizes, bool among_ranks) const;
    /// InOrder or Partitions, with the same bits.
    schedule::UpdateWay way(const std::int64_t* sizes, std::int64_t together, int threads) const;
    /// For Partitions.
    const Updates& updates() const { return *updates_; }

  private:
    const KernelCode& code_;
    const std::size_t arrays_;
    std::optional<Updates> updates_;
};

}  // namespace sinter::host
