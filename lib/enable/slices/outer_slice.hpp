// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads and writes one element of an array's outermost axis.
#pragma once

#include "ir/program.hpp"

#include <functional>

namespace sinter::enable {

/// Adds an operation to the program that is being written; returns its first result.
using Emit = std::function<ir::ValueId(ir::ArrayOp, std::vector<ir::Type>)>;

/// array[position], whose type is `inner`, as a view.
ir::ValueId outer_slice(ir::SizeTable& sizes, const Emit& emit, ir::ValueId array, ir::ValueId position, ir::Type inner);
/// `to`, an array of slices of type `inner`, with `value` at `position`: updated in place, as by update.
ir::ValueId store_outer_slice(ir::SizeTable& sizes, const Emit& emit, ir::ValueId to, ir::Type whole, ir::ValueId position,
                              ir::ValueId value, ir::Type inner);

/// A variable of type `is` with extents that are known to be the same, but have other names.
ir::ValueId with_type(const Emit& emit, ir::ValueId id, const ir::Type& is, const ir::Type& wanted);

}  // namespace sinter::enable
