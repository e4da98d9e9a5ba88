// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The steps of a plan that are not kernels.
#pragma once

#include "run/execute/context.hpp"

namespace sinter::runtime {

/// True if a sort makes all of its lines, and not only the first elements of each.
bool makes_whole_lines(const SortStep& step, const BodyPlan& plan);
/// Sorts where the arrays are, if the backend can; else on the host.
void run_sort(const Context& context, const SortStep& step, const BodyPlan& plan, Frame& frame);
void run_foreign(const Context& context, const ForeignStep& step, const BodyPlan& plan, Frame& frame);
/// Gives arrays other names.
void run_alias(const AliasStep& step, Frame& frame);

/// A separate array that holds a scalar of the caller.
BufferRef scalar_copy(const Slot& slot, ir::Scalar scalar);

}  // namespace sinter::runtime
