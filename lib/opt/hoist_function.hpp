// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits a function: what depends on its captured scalars only, and is expensive, from the rest.
#pragma once

#include "ir/function.hpp"

#include <optional>

namespace sinter::opt {

struct HoistedScalars {
    ir::Fn scalars;  ///< parameters: the captured scalars; results: what the rest needs
    ir::Fn fn;       ///< the rest, with the results of `scalars` as additional last parameters
};

/// `captured`: how many of the function's last parameters are captured scalars. Nothing if nothing is worth it. Only
/// instructions that cannot fail are moved. Linear.
std::optional<HoistedScalars> hoist_scalars(const ir::Fn& fn, std::size_t captured);

}  // namespace sinter::opt
