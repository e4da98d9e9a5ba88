// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps of a plan that are no kernels.
#pragma once

#include "run/execute/context.hpp"

namespace sinter::runtime {

/// On the arrays' own side, if the backend sorts; else on the host.
void run_sort(const Context& context, const SortStep& step, const BodyPlan& plan, Frame& frame);
void run_foreign(const Context& context, const ForeignStep& step, const BodyPlan& plan, Frame& frame);
/// Other names.
void run_alias(const AliasStep& step, Frame& frame);

/// An array of its own for a scalar of the caller's.
BufferRef scalar_copy(const Slot& slot, ir::Scalar scalar);

}  // namespace sinter::runtime
