// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ends counted loops in functions as soon as no state can change any more.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// In a loop
///     for k: x := select(holds(x), step(k, x), x)
/// the condition depends on states only: once it is false, the states stay as they are and it stays false. The loop becomes
///     while k < n and holds(x): x := step(k, x)
/// Programs on whole arrays keep what is finished by such masks. For all states of a loop, each with a condition of its own
/// or unchanged; loops that may fail, and those of few iterations, stay. To be run after interchange, which makes loops over
/// arrays loops in functions. Linear.
ir::Program settled_loops(ir::Program program);

}  // namespace sinter::enable
