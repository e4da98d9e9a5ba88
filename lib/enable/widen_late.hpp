// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widens halves where they are multiplied, and not in an array of their own.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// A map that reads a repeated array of floats, as a matrix product does, reads the halves from which these are cast, and
/// casts them itself: tensor cores multiply halves, and nothing is stored. For targets that have such. Leaves unused
/// bindings. Linear in the program, times the views between the two.
ir::Program widen_late(ir::Program program);

}  // namespace sinter::enable
