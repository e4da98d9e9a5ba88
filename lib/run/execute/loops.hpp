// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops on arrays, executed in one of three ways: without waiting for every condition, if the device can look at conditions
/// by itself (loop_ahead.cpp); with kernels that are bound once, if iterations move few bytes (loop_bound.cpp); otherwise
/// step by step.
#pragma once

#include "run/execute/execution.hpp"

namespace sinter::runtime {

void run_loop(const Execution& execution, const LoopStep& step, Frame& frame);

/// Returns false if nothing was done and the loop has to wait for its conditions.
bool run_loop_ahead(const Execution& execution, const LoopStep& step, Frame& frame);
/// Returns false if nothing was done because iterations may differ or take much memory.
bool run_loop_bound(const Execution& execution, const LoopStep& step, Frame& frame);

/// Throws the Stopped of a loop that has completed this many iterations.
[[noreturn]] void throw_loop_stopped(const Context& context, const LoopStep& step, const RunControl::Loop& control,
                                     std::int64_t iterations);

}  // namespace sinter::runtime
