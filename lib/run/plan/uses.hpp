// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which variables the steps of a plan read.
#pragma once

#include "run/plan/plan.hpp"

#include <vector>

namespace sinter::runtime {

/// Appends what a step reads: variables of the body that it stands in, and of enclosing ones.
void add_uses(const Step& step, std::vector<ir::ValueId>& uses);

/// Appends the variables of enclosing bodies that a body reads. A nested body's own share their numbers with later ones
/// outside.
void add_uses(const BodyPlan& body, std::vector<ir::ValueId>& uses);

/// By step of a body: the variables that nothing reads after it, of the body's own and of `given`, which are variables of
/// enclosing bodies that nothing reads behind this one.
std::vector<std::vector<ir::ValueId>> dying_in(const BodyPlan& plan, std::vector<ir::ValueId> given);

}  // namespace sinter::runtime
