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
    const double work = decision.tasks.work;
    const bool copies = std::holds_alternative<schedule::Copies>(decision.updates);
    const WayCode &first = copies ? in_order : noted_.code(0, work), &second = (copies ? merged_ : applied_).code(0, work);
    const WayCode::Working working_first(first, work), working_second(second, work);
    (copies ? update_copies : update_partitioned)(update, first.kernel(), second.kernel());
}

}  // namespace sinter::host
