// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits a kernel that updates into parts, so that threads can share the work.
///
/// Either an update is first `noted` (its offset and values), and then noted updates are `applied`; or it is executed on
/// arrays that begin with neutral elements, which are then `merged` into the actual arrays.
#pragma once

#include "jit/host/notes.hpp"
#include "lower/kernel.hpp"

#include <optional>

namespace sinter::host {

struct UpdateKernels {
    /// The kernel; but where it updated, point p (in row-major order) stores: element p of the arrays from `first` on
    /// becomes the values, and element p of one more array, of u32, becomes the offset, or `no_offset` if nothing is
    /// updated.
    lower::Kernel noted;
    /// Has one axis with s0 points. Arrays: offsets of u32, values, the arrays updated.
    lower::Kernel applied;
    /// Has one axis with s0 points. Arrays: values, the arrays updated; element i is combined with element i.
    lower::Kernel merged;
    /// The neutral elements of the operator as bit patterns, one per value. If there are none, nothing can be merged.
    std::optional<std::vector<std::uint64_t>> neutral;
    std::size_t first = 0;  ///< the buffer of the first array updated
    std::vector<lower::Scalar> types;
    lower::SizeId elements;  ///< number of elements of each array updated: an entry of the kernel's size table
};

/// Nothing if the kernel has no update, if its operator needs more than its operands, or if the update is not at the end of
/// the body.
std::optional<UpdateKernels> split_update(const lower::Kernel& kernel);

/// UpdateKernels::merged of one update instruction, at whose operator `level` locals are in scope.
lower::Kernel merging_kernel(const lower::Kernel& kernel, const ir::Inst& update, std::size_t level);

}  // namespace sinter::host
