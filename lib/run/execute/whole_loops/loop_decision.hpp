// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether a loop is launched as one kernel (plan/loop_kernel.hpp).
#pragma once

#include "run/execute/context.hpp"
#include "run/plan/loop_kernel.hpp"

#include <functional>
#include <vector>

namespace sinter::runtime {

/// The values of what is known where a loop stands.
struct KnownValues {
    std::function<std::int64_t(SizeId)> size;
    std::function<std::int64_t(ValueId)> number;
};

/// False if the user wishes no loop to be a kernel, or may stop the run: a kernel does not look.
bool may_be_kernels(const Context& context);

class LoopDecision {
  public:
    LoopDecision(const Context& context, const LoopKernel& kernel, KnownValues values)
        : context_(context), kernel_(kernel), values_(std::move(values)) {}

    /// For the values as they are now. Counts the launches that the loop is about to take.
    bool launches(const LoopStep& step) { return evaluate() && are_checked() && (always() || pays(step)); }

  private:
    static bool always();
    bool evaluate();
    bool pays(const LoopStep& step);
    double launches_of(const LoopStep& loop, std::size_t known, double outer) const;
    double launches_in(const BodyPlan& body, std::size_t known, double outer) const;
    bool are_checked() const;
    std::int64_t largest() const;
    bool are_short(const LoopStep& step) const;

    const Context& context_;
    const LoopKernel& kernel_;
    KnownValues values_;
    std::vector<std::int64_t> arguments_, sizes_;  ///< of the kernel
    std::vector<std::int64_t> judged_;             ///< what is known, of which `short_` tells
    bool short_ = false;
};

}  // namespace sinter::runtime
