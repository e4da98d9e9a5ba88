// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Places the instructions of a graph into blocks.
#pragma once

#include "lower/graph.hpp"

namespace sinter::lower {

/// The outermost region as a block. Every instruction that is used stands once, in the outermost block where its operands
/// are available (so what does not change in a loop is computed before it), but what only a branch of a cond needs stays
/// there, and what may fail stays where it was asked for. Nothing else is kept.
ir::Block place(const Graph& graph);

}  // namespace sinter::lower
