// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a kernel that updates is split into, so that threads can share the work.
///
/// An update is `noted` first (its offset and values), then noted updates are `applied`; or it is executed on arrays that
/// begin with neutral elements, which are `merged` into the arrays meant.
#pragma once

#include "jit/host/notes.hpp"
#include "lower/kernel.hpp"

#include <optional>

namespace sinter::host {

struct UpdateKernels {
    /// The kernel, but the update of its point p, row-major, stores: element p of the arrays first .. becomes the values,
    /// element p of one more array, of u32, the offset, or `no_offset` if nothing is updated.
    lower::Kernel noted;
    /// One axis, s0 points. Arrays: offsets of u32, values, those updated.
    lower::Kernel applied;
    /// One axis, s0 points. Arrays: values, those updated; element i with element i.
    lower::Kernel merged;
    /// Of the operator, as patterns, one a value. Without, nothing can be merged.
    std::optional<std::vector<std::uint64_t>> neutral;
    std::size_t first = 0;  ///< the buffer of the first array updated
    std::vector<lower::Scalar> types;
    lower::SizeId elements;  ///< of each array updated: an entry of the kernel's size table
};

/// Nothing if the kernel has no update, its operator needs more than its operands, or the update is not the body's end.
std::optional<UpdateKernels> split_update(const lower::Kernel& kernel);

}  // namespace sinter::host
