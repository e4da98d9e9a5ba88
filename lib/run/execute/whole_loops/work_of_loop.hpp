// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the launches of a loop would do, were it executed step by step.
#pragma once

#include "run/plan/plan.hpp"

#include <functional>

namespace sinter::runtime {

/// What is known where a loop stands, and the extent that is taken for what is not.
struct AroundLoop {
    std::function<std::int64_t(ir::SizeId)> size;  ///< of `part_sizes` of its kernel (plan/loop_kernel.hpp)
    std::function<std::int64_t(ir::ValueId)> number;
    std::int64_t unknown;
};

struct WorkOfLoop {
    double launches = 0, work = 0;  ///< in vector instructions
};

/// For a loop that may be a kernel; all branches count. Counters are half of what they count to; where less than one element
/// would be left of something, nothing is subtracted from it.
WorkOfLoop work_of_loop(const LoopStep& loop, const ir::SizeTable& sizes, const AroundLoop& around);

/// The work of a launch where sizes have these values.
double work_of(const KernelStep& step, const std::function<std::int64_t(ir::SizeId)>& size);

}  // namespace sinter::runtime
