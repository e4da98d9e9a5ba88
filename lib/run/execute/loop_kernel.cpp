// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/loop_kernel.hpp"

#include "run/execute/launcher.hpp"
#include "run/execute/loops.hpp"
#include "run/explain/extents.hpp"
#include "run/explain/launch_log.hpp"
#include "run/tuning.hpp"

#include <algorithm>
#include <cstdlib>

namespace sinter::runtime {

namespace {

/// Whether a loop's kernel is launched, for one execution of the loop.
class Decision {
  public:
    Decision(const Context& context, const LoopKernel& kernel, const Frame& frame)
        : context_(context), kernel_(kernel), frame_(frame) {}

    bool operator()(const LoopStep& step) const { return is_long(step) && is_possible() && are_short(); }

  private:
    /// Whether its iterations are worth compiling it.
    bool is_long(const LoopStep& step) const {
        if (!step.count) return true;
        const double count = static_cast<double>(context_.number(frame_.find(*step.count).data));
        return count * (kernel_.nested > 0 ? count : 1) >= tuning::fewest_steps_of_kernel;
    }

    bool is_possible() const {
        const auto is_small = [](std::int64_t n) { return -largest_loop_size <= n && n <= largest_loop_size; };
        for (ValueId id : kernel_.numbers)
            if (!is_small(context_.number(frame_.find(id).data))) return false;
        for (const ir::Guard* guard : kernel_.known_guards)
            if (!ir::sizes::equal(context_.size(guard->left, frame_), context_.size(guard->right, frame_))) return false;
        for (const fuse::Made& made : kernel_.known_shapes)
            if (is_bad_shape(made.shape, [&](SizeId id) { return context_.size(id, frame_); })) return false;
        const ir::SizeTable& table = kernel_.kernel.sizes;
        Numbers arguments(kernel_.step.sizes.size()), sizes(table.count());
        for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = context_.size(kernel_.step.sizes[k], frame_);
        evaluate_kernel_sizes(table, arguments, sizes);
        return std::all_of(sizes.begin(), sizes.end(), is_small) && !reads_empty(kernel_.kernel, sizes.data());
    }

    /// Whether no step would be worth sharing among threads, as far as extents are known.
    bool are_short() const {
        const std::vector<std::int64_t> all = estimate_sizes(context_.plan.program, context_.call);
        return std::all_of(kernel_.parts.begin(), kernel_.parts.end(), [&](const KernelStep* part) {
            const ir::SizeTable& table = part->kernel->kernel.sizes;
            Numbers arguments(part->sizes.size()), sizes(table.count());
            for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = all[part->sizes[k].index];
            evaluate_kernel_sizes(table, arguments, sizes);
            return part->kernel->code->work(sizes.data()) <= tuning::largest_work_in_kernel;
        });
    }

    const Context& context_;
    const LoopKernel& kernel_;
    const Frame& frame_;
};

}  // namespace

bool run_loop_kernel(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying,
                     const BodyPlan& plan, Frame& frame) {
    const Context& context = execution.context();
    if (!step.kernel || context.call.control || frame.ahead) return false;
    if (!Decision(context, *step.kernel, frame)(step)) return false;
    Launcher(context).launch(step.kernel->compiled(context.backend()), dying, plan, frame);
    return true;
}

}  // namespace sinter::runtime
