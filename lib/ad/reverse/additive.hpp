// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Linear operators: the derivatives of their folds, scans and scatters are the same operation on derivatives.
#pragma once

#include "ir/function.hpp"

namespace sinter::ad {

/// True if each result k of the operator is the sum of parameters k and count + k, all of one floating-point type, and there
/// are no other parameters.
bool is_additive(const ir::Fn& op, std::size_t count);

}  // namespace sinter::ad
