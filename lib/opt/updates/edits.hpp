// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is to be changed of a chain of updates, so that no array is copied for its sake.
#pragma once

#include "opt/updates/chains.hpp"

#include <map>

namespace sinter::opt {

using Order = std::vector<std::size_t>;

/// Replaces operand `operand` of binding `by` by `array`, which may be made by a binding that stands further down.
struct Edit {
    Position by;
    std::size_t operand;
    ir::ValueId array;
};

struct Edits {
    ir::ValueId array;  ///< the oldest version
    std::vector<Edit> operands;
    std::map<std::size_t, ir::ValueId> results;  ///< results of the body
    Order order;                                 ///< the order in which the bindings then need each other
};

/// For one of the body's chains that can be improved; nothing if none can.
std::optional<Edits> edits_of(Chains& chains);

}  // namespace sinter::opt
