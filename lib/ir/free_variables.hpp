// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The variables that a binding needs and that were bound before it.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::ir {

/// The variables bound before `level`, which is that of the binding's first result: operands, those in sizes, and those that
/// its bodies use. Possibly repeated.
std::vector<ValueId> free_variables(const SizeTable& sizes, const Binding& binding, std::size_t level);
void values_of(const SizeTable& sizes, const Guard& guard, std::vector<ValueId>& to);

}  // namespace sinter::ir
