// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two ways to execute updates on several threads. The results' bits depend on extents alone.
#pragma once

#include "jit/host/launch.hpp"
#include "jit/host/update_kernels.hpp"

namespace sinter::host {

struct UpdateLaunch {
    const UpdateKernels& kernels;
    const runtime::Launch& launch;
    Tiling tiling;          ///< tasks are runs of points in row-major order
    std::int64_t elements;  ///< of each array updated

    std::size_t values() const { return kernels.types.size(); }
    std::size_t bytes(std::size_t v) const { return static_cast<std::size_t>(detail::size_of(kernels.types[v])); }
    void* updated(std::size_t v) const { return launch.buffers[kernels.first + v]; }
    bool failed() const { return launch.error->check.load() != 0; }
};

/// `tiling` cut into tasks of about so many points.
Tiling runs_of(Tiling tiling, std::int64_t points);

/// For small arrays: the first task updates the arrays, each other one copies of its own, which begin with neutral elements;
/// then the copies are combined with the arrays, in order. Needs neutral elements, and memory for the copies.
void update_copies(const UpdateLaunch& launch, emit::Entry in_order, emit::Entry merged);

/// For large arrays, where updates miss the caches: they are noted and grouped by ranges of offsets that fit a cache, then
/// one thread updates a range, in the order of the points ("radix partitioning": Boncz, Manegold and Kersten, "Database
/// Architecture Optimized for the New Bottleneck: Memory Access", 1999, section 3.3). The bits are those of one point after
/// another, and it pays on one thread too. Needs fewer than 2^31 elements.
void update_partitioned(const UpdateLaunch& launch, emit::Entry noted, emit::Entry applied);

}  // namespace sinter::host
