// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a loop kernel checks: guards, and shapes of arrays, that sizes of the loop decide. What is known before the loop
/// begins is left to those who launch the kernel.
#pragma once

#include "run/plan/loop_sizes.hpp"

namespace sinter::runtime {

class LoopChecks {
  public:
    /// Adds to the checks of `kernel`, and to the guards and shapes of the result.
    LoopChecks(LoopKernel& result, lower::Kernel& kernel, lower::BlockWriter& to, LoopSizes& sizes)
        : result_(result), kernel_(kernel), to_(to), sizes_(sizes) {}

    void guards(const std::vector<const ir::Guard*>& guards, LoopScope& scope);
    /// At most two extents that the kernel computes can be reported.
    void shape(const fuse::Made& made, LoopScope& scope);

  private:
    void expect(lower::Check::Kind kind, std::size_t number, std::vector<ir::Local> operands);

    LoopKernel& result_;
    lower::Kernel& kernel_;
    lower::BlockWriter& to_;
    LoopSizes& sizes_;
};

}  // namespace sinter::runtime
