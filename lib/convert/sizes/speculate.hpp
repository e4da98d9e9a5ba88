// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What may be said of an operation before anything is known about when it is executed.
#pragma once

#include "front/graph.hpp"

namespace sinter::convert {

/// It cannot fail and it ends: it may be executed although its result is not needed. Says nothing of its operands, nor of
/// nested scopes. Loops, and functions with unbounded loops, may not end.
bool may_speculate(const front::Node& node);

/// Repeating it costs no more than reading its result: views, literals, extents, and generates of a few instructions.
bool is_free(const front::Node& node);

}  // namespace sinter::convert
