// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Places the instructions of a graph into blocks.
#pragma once

#include "lower/graph.hpp"

namespace sinter::lower {

/// The outermost region as a block. Every instruction that is used occurs once, in the outermost block where its operands
/// are available (so what does not change in a loop is computed before it); but what only one branch of a cond needs stays
/// there, unless it compares indices, and what may fail stays where it was asked for. Unused instructions are dropped.
ir::Block place(const Graph& graph);

}  // namespace sinter::lower
