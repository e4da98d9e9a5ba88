// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates/updates.hpp"

#include <utility>

namespace sinter::host {

Updates::Updates(UpdateKernels kernels, const std::shared_ptr<const Target>& target)
    : kernels_(std::move(kernels)),
      noted_(kernels_.noted, target),
      applied_(kernels_.applied, target),
      merged_(kernels_.merged, target) {}

schedule::UpdateWay Updates::choose(const std::int64_t* sizes, std::int64_t points, int threads) const {
    return schedule::choose({points, elements(sizes), kernels_.types, kernels_.neutral.has_value()}, threads);
}

void Updates::launch(const WayCode& in_order, const schedule::Decision& decision, const runtime::Launch& launch) const {
    const UpdateLaunch update{kernels_, launch, schedule::runs_of(decision.tasks, decision.updates), elements(launch.sizes)};
    const auto entry = [&](const WayCode& code) {
        code.works(decision.tasks.work);
        return code.kernel();
    };
    const auto entry_of = [&](const KernelCode& kernel) { return entry(kernel.code(0, decision.tasks.work)); };
    if (std::holds_alternative<schedule::Copies>(decision.updates))
        update_copies(update, entry(in_order), entry_of(merged_));
    else
        update_partitioned(update, entry_of(noted_), entry_of(applied_));
}

}  // namespace sinter::host
