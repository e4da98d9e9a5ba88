// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates of one element by all lanes of a vector.
#pragma once

#include "ir/neutral.hpp"
#include "lower/kernel.hpp"

namespace sinter::schedule {

/// True if the values of lanes are combined before the element is updated. That changes the association, which only the
/// accumulators of folds leave open; a scatter applies its values one after another, as the interpreter does. `level` is the
/// number of locals around the update.
inline bool combines_lanes(const lower::Kernel& kernel, const lower::Inst& update, std::size_t level) {
    return lower::accumulator_at(kernel, update.bits) &&
           ir::neutral_elements(update.blocks[0], update.operands.size() - 1, level);
}

}  // namespace sinter::schedule
