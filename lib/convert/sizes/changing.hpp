// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops with states whose extents are different after an iteration, and conds whose sides return different extents.
#pragma once

#include "convert/sharing/prune.hpp"

#include <vector>

namespace sinter::convert {

/// An axis of a loop's state, which is given by its parameter in one of the loop's scopes; or an axis of a cond, where the
/// axes of all its results are counted in order.
struct Changing {
    TermId term;
    std::size_t axis;
};

/// Records that these extents change: the parameters and the loop, or the cond, get a variable for each. Renumbers all
/// variables; linear.
void change_extents(Pruned& pruned, const std::vector<Changing>& changing);

}  // namespace sinter::convert
