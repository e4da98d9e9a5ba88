// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_LOG=launch: one line on stderr for every kernel that runs.
#pragma once

#include "lower/kernel.hpp"

#include <chrono>
#include <cstdint>
#include <span>

namespace sinter::runtime {

bool launch_log_enabled();

/// "launch map+fold: 12.3 us, 8.00 MB, 650.2 GB/s"; bytes are those of the kernel's buffers.
void log_launch(const lower::Kernel& kernel, std::span<const std::int64_t> sizes, std::chrono::nanoseconds time);

}  // namespace sinter::runtime
