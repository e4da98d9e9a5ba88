// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits axes whose index is only divided (axis_splits.hpp): quotient and remainder become indices of two axes.
#pragma once

#include "lower/index/axis_splits.hpp"
#include "lower/kernel.hpp"

#include <optional>
#include <set>
#include <span>
#include <vector>

namespace sinter::lower {

/// Splits what may be split in all launches. `present`: sizes that are not negative, as extents of arrays are.
Kernel split_axes(Kernel kernel, const std::set<SizeId>& present);

/// A kernel for some launches. Its size table begins with that of the kernel from which it was made.
struct SplitKernel {
    Kernel kernel;
    std::vector<ExactSplit> exact;  ///< for those that fulfil all of this
    bool of_points;                 ///< it has other parallel axes
};
/// Nothing if there is nothing to split.
std::optional<SplitKernel> split_if_exact(const Kernel& kernel);

/// The size table of a launch of the split kernel, given that of the other; nothing if the launch does not fulfil what it
/// has to.
std::optional<std::vector<std::int64_t>> split_sizes(const SplitKernel& split, std::span<const std::int64_t> sizes);

}  // namespace sinter::lower
