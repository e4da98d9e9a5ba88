// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the extents of a call decide of a launch: which code, and how it is cut into tasks.
#pragma once

#include "jit/host/code_object.hpp"
#include "jit/host/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinter::host {

struct Binding {
    std::vector<std::int64_t> sizes;  ///< the kernel's size table
    int threads;
    Tiling tiling;
    const LoadedObject* object;

    bool fits(const std::int64_t* others, int thread_limit) const {
        return threads == thread_limit && std::equal(sizes.begin(), sizes.end(), others);
    }
};

}  // namespace sinter::host
