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
    const lower::Kernel* kernel;  ///< as it is executed: perhaps flattened
    const Traits* traits;         ///< its
    const LoadedObject* object;
    std::vector<std::int64_t> sizes;  ///< its size table
    std::size_t given;                ///< of these: the call's, from the first on
    int threads;
    Tiling tiling;

    bool fits(const std::int64_t* others, int thread_limit) const {
        return threads == thread_limit && std::equal(sizes.data(), sizes.data() + given, others);
    }
};

}  // namespace sinter::host
