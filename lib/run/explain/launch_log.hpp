// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reports launches as they happen: for SINTER_LOG=launch, one line on stderr each; and for sinter::profile.
#pragma once

#include "lower/kernel.hpp"
#include "run/backend.hpp"
#include "support/threads/recorder.hpp"

#include <cstdint>
#include <span>

namespace sinter::runtime {

/// True if launches are logged or profiled.
bool watched();

/// Logs and records several iterations of a loop that were executed at once: "launch 5 steps of map: ...". `why` is what the
/// line says of their schedule.
void report_steps(const std::string& name, Clock::time_point begin, std::size_t steps, double bytes, Backend& backend,
                  const std::string& why);

/// Times one launch. Reads clocks only if the result is wanted.
class LaunchTimer {
  public:
    explicit LaunchTimer(Backend& backend);
    /// Reports a line such as "launch map+fold: 12.3 us, 8.00 MB, 650.2 GB/s, inner: 310 against points 920"; bytes are
    /// those of the kernel's buffers. `sizes` is its size table.
    void finish(const lower::Kernel& kernel, std::span<const std::int64_t> sizes, const CompiledKernel& code, int threads) {
        if (begin_ != Clock::time_point()) report(kernel, sizes, code, threads);
    }

    /// The same of a launch that ranks share: this rank's bytes, and what the line says of how they share it.
    void finish_shared(const lower::Kernel& kernel, double bytes, const std::string& way) {
        if (begin_ != Clock::time_point()) report(kernel, bytes, way);
    }

  private:
    void report(const lower::Kernel& kernel, std::span<const std::int64_t> sizes, const CompiledKernel& code, int threads);
    void report(const lower::Kernel& kernel, double bytes, const std::string& way);
    Clock::duration time();

    Backend& backend_;
    Clock::time_point begin_;
    std::unique_ptr<Stopwatch> stopwatch_;
};

}  // namespace sinter::runtime
