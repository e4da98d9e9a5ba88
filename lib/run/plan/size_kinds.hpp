// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a plan knows of the sizes of its program.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::runtime {

/// For each size: true if it depends on values that are computed while the program runs (the value of an input is known
/// before).
std::vector<bool> find_dynamic(const ir::Program& program);

/// For each size: true if it is better not evaluated as a tree.
std::vector<bool> find_large(const ir::SizeTable& sizes);

}  // namespace sinter::runtime
