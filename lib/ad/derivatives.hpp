// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Automatic differentiation: turns programs with derivatives into programs without.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// Replaces the derivatives whose bodies contain neither a nest nor a derivative; those that contain a vmap wait until it
/// has been lifted. Throws UsageError where a foreign function would have to be differentiated, Limitation where there is no
/// rule.
ir::Program differentiate(ir::Program program);

}  // namespace sinter::ad
