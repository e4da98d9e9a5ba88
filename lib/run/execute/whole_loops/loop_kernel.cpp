// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/loop_kernel.hpp"

#include "run/execute/launcher.hpp"
#include "run/execute/loops.hpp"
#include "run/execute/whole_loops/loop_decision.hpp"

namespace sinter::runtime {

bool run_loop_kernel(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying,
                     const BodyPlan& plan, Frame& frame) {
    const Context& context = execution.context();
    if (!step.kernel || frame.ahead || !may_be_kernels(context)) return false;
    LoopDecision decision(context, *step.kernel,
                          {[&](SizeId id) { return context.size(id, frame); },
                           [&](ValueId id) { return context.number(frame.find(id).data); }});
    if (!decision.launches(step)) return false;
    step.kernel->compile(context.backend());
    Launcher(context).launch(step.kernel->step, dying, plan, frame);
    return true;
}

}  // namespace sinter::runtime
