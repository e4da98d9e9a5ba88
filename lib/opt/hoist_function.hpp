// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits a function: what is expensive and depends only on its captured scalars is separated from the rest.
#pragma once

#include "ir/function.hpp"

#include <optional>

namespace sinter::opt {

struct HoistedScalars {
    ir::Fn scalars;  ///< parameters: the captured scalars; results: what the rest needs
    ir::Fn fn;       ///< the rest, with the results of `scalars` as additional parameters after the others
};

/// `captured`: the number of captured scalars, which are the function's last parameters. Nothing if nothing is worth moving.
/// Only instructions that cannot fail are moved. Linear.
std::optional<HoistedScalars> hoist_scalars(const ir::Fn& fn, std::size_t captured);

}  // namespace sinter::opt
