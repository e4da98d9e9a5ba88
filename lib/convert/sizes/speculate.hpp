// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of an operation before it is known when it will be executed.
#pragma once

#include "front/graph.hpp"

namespace sinter::convert {

/// True if it cannot fail and it terminates, so that it may be executed although its result is not needed. Says nothing
/// about its operands or nested scopes. Loops, and functions with unbounded loops, may not terminate.
bool may_speculate(const front::Node& node);

/// True if repeating it costs no more than reading its result: views, literals, extents, and generates of a few
/// instructions.
bool is_free(const front::Node& node);

}  // namespace sinter::convert
