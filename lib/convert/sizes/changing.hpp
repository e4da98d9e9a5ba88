// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops whose states have another extent after an iteration.
#pragma once

#include "convert/sharing/prune.hpp"

#include <vector>

namespace sinter::convert {

/// An axis of a loop's state, which is given by its parameter of one of the loop's scopes.
struct Changing {
    TermId parameter;
    std::size_t axis;
};

/// The states change these extents from now on: their parameters and the loop get a variable for each. Renumbers all
/// variables; linear.
void change_extents(Pruned& pruned, const std::vector<Changing>& changing);

}  // namespace sinter::convert
