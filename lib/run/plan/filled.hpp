// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays that need memory, but no values: the initial states of counted loops that store a slice in every iteration and
/// read none, as the tapes of reverse sweeps do. Writing them would cost as much as filling them.
#pragma once

#include "run/plan/plan.hpp"

namespace sinter::runtime {

/// Marks the steps of a body that make nothing else. `plan`: that of the body, with its steps.
void mark_filled(const ir::Program& program, const ir::Body& body, BodyPlan& plan);

}  // namespace sinter::runtime
