// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/ahead/before_run.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "place/tuning.hpp"
#include "run/execute/host_steps.hpp"
#include "run/plan/size_values.hpp"
#include "run/ranks/ahead/describe.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/job/job.hpp"

namespace sinter::runtime {

using place::Layout;

Layout BeforeRun::layout_of(const ir::Type& type) const {
    Layout layout{type.rank() > 0};
    for (std::size_t axis = 0; axis < type.shape.size(); ++axis)
        (axis == 0 ? layout.rows : layout.row) *= extent(type.shape[axis]);
    return layout;
}

Layout BeforeRun::layout_of_input(std::size_t k) const {
    const InputView& input = call.inputs[k];
    if (!input.owner) return {};
    if (const SpreadArray* array = spread(*input.owner)) return array->copy ? Layout{} : array->layout();
    const std::int64_t elements = ir::sizes::product(input.shape);
    const std::int64_t bytes = elements * detail::size_of(plan.body.types[k].scalar);
    if (job() || input.shape.empty() || bytes < place::tuning::least_blocks_bytes) return {};
    return {true, input.shape[0], elements / input.shape[0]};
}

std::vector<std::int64_t> BeforeRun::kernel_sizes(const KernelStep& step) const {
    const lower::Kernel& kernel = step.kernel->kernel;
    std::vector<std::int64_t> arguments, sizes(kernel.sizes.count());
    for (ir::SizeId id : step.sizes) arguments.push_back(extent(id));
    evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
    return sizes;
}

bool BeforeRun::shares(const SortStep& step, const BodyPlan& body) const {
    return makes_whole_lines(step, body) && layout_of(body.types[step.to.index]).elements() >= least_sorted();
}

void BeforeRun::note_number(const KernelStep& step) {
    const lower::Kernel& kernel = step.kernel->kernel;
    if (!step.inputs.empty() || step.outputs.size() != 1 || !kernel.space.empty()) return;
    std::vector<std::optional<std::int64_t>> locals;
    for (const lower::Inst& inst : kernel.body.insts) {
        if (inst.op == ir::Op::store) {
            if (const auto number = locals[inst.operands[1].index]) numbers_[step.outputs[0]] = *number;
            return;
        }
        const bool is_number = inst.op == ir::Op::constant && inst.type() == lower::Scalar::i64;
        locals.resize(locals.size() + inst.types.size());
        if (is_number) locals.back() = static_cast<std::int64_t>(inst.bits);
    }
}

std::optional<std::int64_t> BeforeRun::count_of(const LoopStep& step) const {
    if (!step.count) return std::nullopt;
    if (step.count->index < call.inputs.size()) return call.inputs[step.count->index].number();
    const auto found = numbers_.find(*step.count);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace sinter::runtime
