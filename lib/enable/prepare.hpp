// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All that happens to a program between sharing recovery and fusion.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Optimised, without vmap, and rearranged such that fusion finds more. The passes and their order: prepare.cpp.
ir::Program prepare(ir::Program program);
/// A program that was prepared and then changed, still without vmap.
ir::Program prepare_again(ir::Program program);

}  // namespace sinter::enable
