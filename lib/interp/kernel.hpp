// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes loop IR: the oracle for generated code, which is itself compared with the interpreted program.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace sinter::interp {

/// The first check that failed.
struct CheckFailure {
    std::uint32_t check = 0;
    std::int64_t index = 0;
    std::int64_t extent = 0;
};

/// Executes `kernel` point by point in row-major order; reduces go from left to right. `sizes` has one entry per entry of
/// the kernel's size table. A failed check does not stop the execution. If a rule of kernels is broken (an offset outside
/// its buffer, an unchecked division by zero, a read of an output), that is an InternalError; but if a size in `nonempty` is
/// 0, loads after a failed check give 0 instead.
std::optional<CheckFailure> interpret(const lower::Kernel& kernel, std::span<void* const> buffers,
                                      std::span<const std::int64_t> sizes);

}  // namespace sinter::interp
