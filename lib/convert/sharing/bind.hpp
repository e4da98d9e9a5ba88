// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stage 3 of sharing recovery (McDonell 2013, section 3.4): bindings and de Bruijn levels.
#pragma once

#include "convert/convert.hpp"
#include "convert/inputs.hpp"
#include "convert/sharing/float.hpp"

namespace sinter::convert {

/// Binds every live term in its home, in prune's order, and numbers variables, sizes, size arguments and sites in the order
/// of the program's text. Linear, and recursive in the depth of nested scopes only.
Result bind(const Pruned& pruned, Sized& sized, const Live& live, const Floated& floated, const Options& options);

}  // namespace sinter::convert
