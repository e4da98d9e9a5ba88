// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a specialised program knows of the extents of its calls. It is written as guards of the program, and so checked.
#pragma once

#include "ir/program.hpp"
#include "ir/sizes/bounds.hpp"

namespace sinter::enable {

bool is_known(ir::Program& program, const ir::AtMost& fact);
void add_known(ir::Program& program, const ir::AtMost& fact);

}  // namespace sinter::enable
