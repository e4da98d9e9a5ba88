// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel, the ways in which it may run, and the code for each of them, which is made or found on disk when it is first
/// needed.
#pragma once

#include "jit/host/code/way_code.hpp"
#include "jit/host/target.hpp"
#include "schedule/candidates.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

namespace sinter::host {

/// The code of a kernel. Thread-safe.
class KernelCode {
  public:
    KernelCode(lower::Kernel kernel, std::shared_ptr<const Target> target);
    KernelCode(const KernelCode&) = delete;
    KernelCode& operator=(const KernelCode&) = delete;

    const lower::Kernel& kernel() const { return kernel_; }
    const schedule::Candidates& candidates() const { return candidates_; }
    const schedule::Facts& facts() const { return candidates_.facts; }
    const schedule::Way& way(std::size_t way) const { return candidates_.ways[way]; }
    schedule::Schedule schedule(std::size_t way) const;
    /// `work`: what the launch has to do for which the code is wanted, in the prices of schedules; it is not counted here.
    const WayCode& code(std::size_t way, double work) const;

  private:
    struct Made {
        std::atomic<const WayCode*> ready{nullptr};
        std::mutex mutex;
        std::unique_ptr<const WayCode> code;
    };

    const lower::Kernel kernel_;
    std::shared_ptr<const Target> target_;
    const schedule::Candidates candidates_;  ///< refers to kernel_
    mutable std::array<Made, schedule::most_ways> made_;
};

}  // namespace sinter::host
