// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes cascades (cascade.hpp) where they pay.
#pragma once

#include "run/execute/execution.hpp"

#include <cstddef>

namespace sinter::runtime {

/// Executes the cascade that begins at this position of a plan, if there is one. Returns the number of steps that it
/// consists of; 0 if nothing was done, or nothing that anybody can see.
std::size_t run_cascade(const Execution& execution, const BodyPlan& plan, std::size_t position, Frame& frame);

/// Whether a body, or one inside of it, may have cascades for the extents of the call: then it is executed step by step.
bool may_have_cascades(const Context& context, const BodyPlan& body);

/// Whether a call of a plan all of whose extents are known has any.
bool has_cascades(const Plan& plan, const Call& call);

}  // namespace sinter::runtime
