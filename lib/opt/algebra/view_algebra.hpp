// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Identity and composition of index functions.
#pragma once

#include "ir/program.hpp"

#include <optional>

namespace sinter::opt {

/// True if a view from `arg` to `result` is the array itself.
bool is_identity(const ir::SizeTable& sizes, const ir::IndexFunction& function, const ir::Type& arg, const ir::Type& result);

/// The index function that is `inner` followed by `outer`: a view with `outer` of a view with `inner`. Nothing if that
/// cannot be expressed by one.
std::optional<ir::IndexFunction> compose(ir::SizeTable& sizes, const ir::IndexFunction& inner,
                                         const ir::IndexFunction& outer);

}  // namespace sinter::opt
