// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which variables and sizes the steps of a plan need.
#pragma once

#include "run/plan/plan.hpp"

#include <algorithm>
#include <vector>

namespace sinter::runtime {

/// Appends what a step reads: variables of the body that it stands in, and of enclosing ones.
void add_uses(const Step& step, std::vector<ir::ValueId>& uses);

/// All sizes that decide about a launch, and those of what it makes.
template <class F>
void for_each_size_of(const KernelStep& step, const BodyPlan& plan, F visit) {
    std::for_each(step.sizes.begin(), step.sizes.end(), visit);
    for (const fuse::Made& made : step.made) std::for_each(made.shape.begin(), made.shape.end(), visit);
    for (ir::ValueId id : step.outputs) {
        const ir::Shape& shape = plan.types[id.index].shape;
        std::for_each(shape.begin(), shape.end(), visit);
    }
}

/// Appends the variables of enclosing bodies that a body reads. A nested body's own share their numbers with later ones
/// outside.
void add_uses(const BodyPlan& body, std::vector<ir::ValueId>& uses);

/// By step of a body: the variables that nothing reads after it, of the body's own and of `given`, which are variables of
/// enclosing bodies that nothing reads behind this one.
std::vector<std::vector<ir::ValueId>> dying_in(const BodyPlan& plan, std::vector<ir::ValueId> given);

}  // namespace sinter::runtime
