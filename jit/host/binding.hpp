// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the extents of a call decide of a launch: the way the kernel runs, and how it is cut into tasks.
#pragma once

#include "jit/host/kernel_code.hpp"
#include "schedule/decision.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinter::host {

struct Binding {
    const KernelCode* code;  ///< of the kernel, or of its flat form
    schedule::Decision decision;
    std::vector<std::int64_t> sizes;  ///< its size table
    std::size_t given;                ///< of these: the call's, from the first on
    int threads;
    const LoadedObject* object = nullptr;

    const schedule::Tasks& tasks() const { return decision.tasks; }
    bool fits(const std::int64_t* others, int thread_limit) const {
        return threads == thread_limit && std::equal(sizes.data(), sizes.data() + given, others);
    }
};

}  // namespace sinter::host
