// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where generated code leaves the first failed check: that of the first point, and there of the first element of a loop
/// that several threads share. It continues after a failure, with an index or divisor that is harmless.
#pragma once

#include "run/backend.hpp"

#include <cstdint>
#include <limits>

namespace sinter::gpu {

/// Generated code knows the layout by offsetof.
struct Failure {
    std::int64_t point = std::numeric_limits<std::int64_t>::max();
    std::int64_t element = 0;
    std::int64_t index = 0, extent = 0;
    std::uint32_t check = 0;  ///< 0: none; else the check's id + 1
    std::uint32_t lock = 0;

    /// Returns true if there is a failure. The device has to have been waited for.
    bool show(runtime::ErrorSlot& error) const {
        if (check == 0) return false;
        error.index = index;
        error.extent = extent;
        error.check.store(check, std::memory_order_release);
        return true;
    }
};

}  // namespace sinter::gpu
