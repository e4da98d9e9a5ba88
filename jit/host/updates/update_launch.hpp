// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two ways to execute updates on several threads. The bits of the results depend on extents alone.
#pragma once

#include "jit/host/launch.hpp"
#include "jit/host/updates/update_kernels.hpp"

namespace sinter::host {

struct UpdateLaunch {
    const UpdateKernels& kernels;
    const runtime::Launch& launch;
    schedule::Tasks tasks;  ///< runs of points in row-major order
    std::int64_t elements;  ///< of each array that is updated

    std::size_t values() const { return kernels.types.size(); }
    std::size_t bytes(std::size_t v) const { return static_cast<std::size_t>(detail::size_of(kernels.types[v])); }
    void* updated(std::size_t v) const { return launch.buffers[kernels.first + v]; }
    bool failed() const { return launch.error->check.load() != 0 || (launch.control && launch.control->stopped()); }
    /// To be asked before each task; if it is true, so is failed().
    bool stops() const { return launch.control && launch.control->stops(); }
};

/// Executes schedule::Copies. `launch` needs neutral elements.
void update_copies(const UpdateLaunch& launch, emit::Entry in_order, emit::Entry merged);

/// Executes schedule::Partitions. Needs fewer than 2^31 elements.
void update_partitioned(const UpdateLaunch& launch, emit::Entry noted, emit::Entry applied);

}  // namespace sinter::host
