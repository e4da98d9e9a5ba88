// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes several maps of one that computes several things.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// A map whose results have no work in common and are read by different operations becomes a map for each of these: fusion
/// may then put each beside its reader, or compute it again there, where all together would have to be stored. What is
/// better together, fusion puts together again. To be run after the passes that make maps. Linear in the program, times the
/// results of a map.
ir::Program split_maps(ir::Program program);

}  // namespace sinter::enable
