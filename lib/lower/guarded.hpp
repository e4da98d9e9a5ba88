// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that read arrays without elements.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>

namespace sinter::lower {

/// True if an array that the kernel reads at checked indices has no elements, given its size table: every such read fails,
/// and a target that goes on after a failed check needs the guarded() kernel.
bool reads_empty(const Kernel& kernel, const std::int64_t* sizes);

/// The same kernel, whatever the sizes in `nonempty` are: where an offset depends on a checked index, memory is read and
/// written only if the offset is inside of the buffer; other reads give 0. Linear.
Kernel guarded(const Kernel& kernel);

}  // namespace sinter::lower
