// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs some of whose variables are stored, whatever fusion would do with them, so that ranks can exchange these
/// instead of what they are made from.
#pragma once

#include "ir/program.hpp"

#include <compare>
#include <cstddef>
#include <map>
#include <set>

namespace sinter::runtime {

/// A variable that a binding makes: of the body with this number, in the order of fuse::for_each_body.
struct StoredVariable {
    std::size_t body, level;
    auto operator<=>(const StoredVariable&) const = default;
};

/// The same program with a force behind each of these variables, which every later use reads. They have no rank of 0.
ir::Program with_stored(ir::Program program, const std::set<StoredVariable>& stored);

/// The same for all that have no rank of 0.
struct AllStored {
    ir::Program program;
    std::map<StoredVariable, StoredVariable> before;  ///< what was which variable, by what the forces read
};
AllStored with_all_stored(ir::Program program);

}  // namespace sinter::runtime
