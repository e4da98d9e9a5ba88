// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops whose states have another extent after an iteration, and conds whose sides return different ones.
#pragma once

#include "convert/sharing/prune.hpp"

#include <vector>

namespace sinter::convert {

/// An axis of a loop's state, which is given by its parameter of one of the loop's scopes; or of a cond, the axes of all its
/// results counted in order.
struct Changing {
    TermId term;
    std::size_t axis;
};

/// These extents change from now on: parameters and the loop, or the cond, get a variable for each. Renumbers all variables;
/// linear.
void change_extents(Pruned& pruned, const std::vector<Changing>& changing);

}  // namespace sinter::convert
