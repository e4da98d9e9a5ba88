// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/whole_loops/loop_decision.hpp"

#include "ir/walk.hpp"
#include "run/execute/launcher.hpp"
#include "run/execute/whole_loops/work_of_loop.hpp"
#include "run/explain/extents.hpp"
#include "run/tuning.hpp"
#include "support/match.hpp"
#include "support/settings.hpp"

#include <algorithm>
#include <string_view>

namespace sinter::runtime {

namespace {

std::string_view wish() {
    static const std::string_view value = setting("SINTER_LOOP_KERNELS");
    return value;
}

/// Whether a kernel combines numbers in an order that may depend on how it is cut.
bool combines(const lower::Kernel& kernel) {
    return ir::any_inst(kernel.body, [](const ir::Inst& inst) {
        return inst.op == ir::Op::reduce || inst.op == ir::Op::scan || inst.op == ir::Op::update;
    });
}

bool is_within(std::int64_t n, std::int64_t most) { return -most <= n && n <= most; }

bool are_small(const ir::SizeTable& table, const std::vector<std::int64_t>& sizes) {
    for (std::size_t k = 0; k < sizes.size(); ++k)
        if (!is_within(sizes[k], most_of_entry(table[SizeId(k)]))) return false;
    return true;
}

}  // namespace

bool may_be_kernels(const Context& context) { return !context.call.control && wish() != "never"; }

bool LoopDecision::always() { return wish() == "always"; }

/// False if something is too large for the kernel.
bool LoopDecision::evaluate() {
    const KernelStep& step = kernel_.step;
    arguments_.resize(step.sizes.size());
    for (std::size_t k = 0; k < arguments_.size(); ++k) arguments_[k] = values_.size(step.sizes[k]);
    sizes_.resize(kernel_.kernel().sizes.count());
    evaluate_kernel_sizes(kernel_.kernel().sizes, arguments_, sizes_);
    const auto has_small = [&](const LoopKernel::Number& n) { return is_within(values_.number(n.id), n.most); };
    return std::all_of(kernel_.numbers.begin(), kernel_.numbers.end(), has_small) &&
           are_small(kernel_.kernel().sizes, sizes_);
}

/// Whether no step would be worth sharing among threads, as far as extents are known, and there are enough of them.
bool LoopDecision::pays(const LoopStep& step) {
    std::vector<std::int64_t> known = sizes_;
    for (SizeId id : kernel_.part_sizes) known.push_back(values_.size(id));
    if (judged_ != known) {
        judged_ = std::move(known);
        short_ = are_short(step);
    }
    if (!short_) return false;
    const double launches = launches_of(step, step.body->base, 0);
    return launches > 0 && kernel_.pays(launches);
}

/// The launches of a loop that is executed step by step, and of those inside of it, where all branches are taken. Variables
/// below level `known` have values; a count that depends on others is taken for that of the loop around it.
double LoopDecision::launches_of(const LoopStep& loop, std::size_t known, double outer) const {
    double count = tuning::steps_of_condition;
    if (loop.count) count = loop.count->index < known ? static_cast<double>(values_.number(*loop.count)) : outer;
    const double once = launches_in(*loop.body, known, count);
    return count * (loop.condition ? once + launches_in(*loop.condition, known, count) : once);
}

double LoopDecision::launches_in(const BodyPlan& body, std::size_t known, double outer) const {
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
bool LoopDecision::are_checked() const {
    const auto holds = [&](const ir::Guard* guard) {
        return ir::sizes::equal(values_.size(guard->left), values_.size(guard->right));
    };
    const auto is_good = [&](const fuse::Made& made) { return !is_bad_shape(made.shape, values_.size); };
    return std::all_of(kernel_.known_guards.begin(), kernel_.known_guards.end(), holds) &&
           std::all_of(kernel_.known_shapes.begin(), kernel_.known_shapes.end(), is_good);
}

/// The largest extent of what the loop reads and writes: no fold in it is longer (lower/compose/bounded_folds.hpp).
std::int64_t LoopDecision::largest() const {
    std::int64_t result = 1;
    for (std::size_t k = 0; k < sizes_.size(); ++k)
        if (!kernel_.kernel().sizes[ir::SizeId(k)].left.valid()) result = std::max(result, sizes_[k]);
    return result;
}

/// Whether launches are short on average, so that threads would gain little by sharing them. A step whose folds a launch
/// would cut into chunks never is: their sums would associate in another way.
bool LoopDecision::are_short(const LoopStep& step) const {
    const ir::SizeTable& table = context_.plan.program.sizes;
    const std::vector<std::int64_t> most = estimate_sizes(context_.plan.program, context_.call, largest());
    const auto estimate = [&](SizeId id) { return most[id.index]; };
    const auto may_be_cut = [&](const KernelStep* part) {
        return combines(part->kernel->kernel) && work_of(*part, estimate) > tuning::most_work_of_short_step;
    };
    if (std::any_of(kernel_.parts.begin(), kernel_.parts.end(), may_be_cut)) return false;
    const WorkOfLoop all = work_of_loop(step, table, {values_.size, values_.number, largest()});
    return all.work <= tuning::most_work_of_short_step * all.launches;
}

}  // namespace sinter::runtime
