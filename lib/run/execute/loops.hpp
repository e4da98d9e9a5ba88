// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops on arrays, in one of three ways: without waiting for every condition where the device looks at conditions by itself
/// (loop_ahead.cpp), with kernels that are bound once where iterations are of few bytes (loop_bound.cpp), else step by step.
#pragma once

#include "run/execute/execution.hpp"

namespace sinter::runtime {

void run_loop(const Execution& execution, const LoopStep& step, Frame& frame);

/// False: nothing was done, this loop has to wait for its conditions.
bool run_loop_ahead(const Execution& execution, const LoopStep& step, Frame& frame);
/// False: nothing was done, iterations may differ or take much memory.
bool run_loop_bound(const Execution& execution, const LoopStep& step, Frame& frame);

/// The Stopped of a loop that has done so many iterations.
[[noreturn]] void throw_loop_stopped(const Context& context, const LoopStep& step, const RunControl::Loop& control,
                                     std::int64_t iterations);

}  // namespace sinter::runtime
