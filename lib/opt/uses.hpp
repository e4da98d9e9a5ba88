// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts how often variables are used.
#pragma once

#include "ir/program.hpp"

#include <unordered_map>
#include <vector>

namespace sinter::opt {

/// By binding (its address in the program that is counted): the number of uses of each result, as operands, in sizes (those
/// of the types in the program's text) and as results of bodies.
using UseCounts = std::unordered_map<const ir::Binding*, std::vector<std::size_t>>;

UseCounts use_counts(const ir::Program& program);

}  // namespace sinter::opt
