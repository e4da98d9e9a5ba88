// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the variables that the program needs once sizes are symbolic: an array or scalar that was only asked for a size is
/// not computed.
#pragma once

#include "convert/sharing/prune.hpp"
#include "convert/sizes/sizes.hpp"

#include <vector>

namespace sinter::convert {

struct Live {
    std::vector<bool> terms;      ///< by term: it is computed, or is an input of the program
    std::vector<bool> variables;  ///< by variable: its value or one of its extents is used
};

/// Goes backwards from the roots and the requirements; a live loop or cond keeps all results of its scopes alive. Linear.
Live live(const Pruned& pruned, Sized& sized);

}  // namespace sinter::convert
