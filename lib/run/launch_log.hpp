// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches, as they happen: for SINTER_LOG=launch one line on stderr each, and for sinter::profile.
#pragma once

#include "lower/kernel.hpp"
#include "support/recorder.hpp"

#include <cstdint>
#include <span>

namespace sinter::runtime {

/// Whether launches are logged or profiled.
bool watched();

/// Around one launch. Reads the clock only if somebody wants to know.
class LaunchTimer {
  public:
    LaunchTimer();
    /// Whether anybody wants to know.
    bool active() const { return begin_ != Clock::time_point(); }
    /// "launch map+fold: 12.3 us, 8.00 MB, 650.2 GB/s"; bytes are those of the kernel's buffers. `sizes`: its size table.
    void finish(const lower::Kernel& kernel, std::span<const std::int64_t> sizes) const {
        if (active()) report(kernel, sizes);
    }

  private:
    void report(const lower::Kernel& kernel, std::span<const std::int64_t> sizes) const;

    Clock::time_point begin_;
};

}  // namespace sinter::runtime
