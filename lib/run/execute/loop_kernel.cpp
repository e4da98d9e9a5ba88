// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/loop_kernel.hpp"

#include "run/execute/launcher.hpp"
#include "run/execute/loops.hpp"
#include "run/explain/extents.hpp"
#include "run/tuning.hpp"
#include "support/match.hpp"
#include "support/settings.hpp"

#include <algorithm>
#include <string_view>

namespace sinter::runtime {

namespace {

/// Whether a loop's kernel is launched, for one execution of the loop.
class Decision {
  public:
    Decision(const Context& context, const LoopKernel& kernel, const Frame& frame)
        : context_(context), kernel_(kernel), frame_(frame), sizes_(kernel.kernel.sizes.count()) {
        Numbers arguments(kernel.step.sizes.size());
        for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = context.size(kernel.step.sizes[k], frame);
        evaluate_kernel_sizes(kernel.kernel.sizes, arguments, sizes_);
    }

    bool is_possible() const { return are_small() && are_checked(); }

    /// Whether no step would be worth sharing among threads, as far as extents are known, and there are enough of them.
    bool pays(const LoopStep& step) const {
        if (!are_short()) return false;
        const double launches = launches_of(step, step.body->base, 0);
        return launches > 0 && kernel_.pays(launches);
    }

  private:
    /// The launches of a loop that is executed step by step, and of those inside of it, where all branches are taken. Variables
    /// below level `known` have values; a count that depends on others is taken for that of the loop around it.
    double launches_of(const LoopStep& loop, std::size_t known, double outer) const {
        double count = tuning::steps_of_condition;
        if (loop.count)
            count = loop.count->index < known ? static_cast<double>(context_.number(frame_.find(*loop.count).data)) : outer;
        const double once = launches_in(*loop.body, known, count);
        return count * (loop.condition ? once + launches_in(*loop.condition, known, count) : once);
    }

    double launches_in(const BodyPlan& body, std::size_t known, double outer) const {
        double launches = 0;
        for (const Step& step : body.steps)
            match(
                step.action, [&](const KernelStep&) { ++launches; },
                [&](const LoopStep& loop) { launches += launches_of(loop, known, outer); },
                [&](const CondStep& branch) {
                    launches += launches_in(*branch.then, known, outer) + launches_in(*branch.otherwise, known, outer);
                },
                [](const auto&) {});
        return launches;
    }

    /// Guards and shapes that are known. If one is bad, it may be that no step gets there.
    bool are_checked() const {
        const auto holds = [&](const ir::Guard* guard) {
            return ir::sizes::equal(context_.size(guard->left, frame_), context_.size(guard->right, frame_));
        };
        const auto is_good = [&](const fuse::Made& made) {
            return !is_bad_shape(made.shape, [&](SizeId id) { return context_.size(id, frame_); });
        };
        return std::all_of(kernel_.known_guards.begin(), kernel_.known_guards.end(), holds) &&
               std::all_of(kernel_.known_shapes.begin(), kernel_.known_shapes.end(), is_good);
    }

    bool are_small() const {
        const auto is_small = [](std::int64_t n) { return -largest_loop_size <= n && n <= largest_loop_size; };
        const auto has_small = [&](ValueId id) { return is_small(context_.number(frame_.find(id).data)); };
        return std::all_of(kernel_.numbers.begin(), kernel_.numbers.end(), has_small) &&
               std::all_of(sizes_.begin(), sizes_.end(), is_small) && !reads_empty(kernel_.kernel, sizes_.data());
    }

    /// The largest extent of what the loop reads and writes: no fold in it is longer (lower/compose/bounded_folds.hpp).
    std::int64_t largest() const {
        std::int64_t result = 1;
        for (std::size_t k = 0; k < sizes_.size(); ++k)
            if (!kernel_.kernel.sizes[ir::SizeId(k)].left.valid()) result = std::max(result, sizes_[k]);
        return result;
    }

    /// A step whose folds a launch would cut into chunks is not: their sums would associate in another way.
    bool are_short() const {
        const std::vector<std::int64_t> all = estimate_sizes(context_.plan.program, context_.call, largest());
        return std::all_of(kernel_.parts.begin(), kernel_.parts.end(), [&](const KernelStep* part) {
            const ir::SizeTable& table = part->kernel->kernel.sizes;
            Numbers arguments(part->sizes.size()), sizes(table.count());
            for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = all[part->sizes[k].index];
            evaluate_kernel_sizes(table, arguments, sizes);
            // Estimates may contradict one another: prices are for extents that exist.
            for (std::int64_t& n : sizes) n = std::clamp<std::int64_t>(n, 1, largest_loop_size);
            return part->kernel->code->work(sizes.data()) <= tuning::most_work_of_short_step;
        });
    }

    const Context& context_;
    const LoopKernel& kernel_;
    const Frame& frame_;
    Numbers sizes_;  ///< of the kernel
};

}  // namespace

bool run_loop_kernel(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying,
                     const BodyPlan& plan, Frame& frame) {
    const Context& context = execution.context();
    static const std::string_view wish = setting("SINTER_LOOP_KERNELS");
    if (!step.kernel || context.call.control || frame.ahead || wish == "never") return false;
    const Decision decision(context, *step.kernel, frame);
    if (!decision.is_possible() || !(wish == "always" || decision.pays(step))) return false;
    Launcher(context).launch(step.kernel->compiled(context.backend()), dying, plan, frame);
    return true;
}

}  // namespace sinter::runtime
