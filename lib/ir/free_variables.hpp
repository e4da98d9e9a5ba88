// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a binding needs of what was bound before it.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::ir {

/// Variables that are bound before `level`, that of the binding's first result: operands, those in sizes, and those of its
/// bodies. With repetitions.
std::vector<ValueId> free_variables(const SizeTable& sizes, const Binding& binding, std::size_t level);
void values_of(const SizeTable& sizes, const Guard& guard, std::vector<ValueId>& to);

}  // namespace sinter::ir
