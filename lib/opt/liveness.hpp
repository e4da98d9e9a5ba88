// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the results of bindings that a program's results need.
#pragma once

#include "ir/program.hpp"

#include <unordered_map>
#include <vector>

namespace sinter::opt {

/// By binding (its address in the program analysed, including the bodies of cond and loop): one flag per result. A state of
/// a loop that only itself needs is not live.
using Liveness = std::unordered_map<const ir::Binding*, std::vector<bool>>;

/// Linear, except for loops whose states need each other in a chain.
Liveness liveness(const ir::Program& program);

}  // namespace sinter::opt
