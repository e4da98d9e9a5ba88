// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops on arrays, executed in one of five ways: as one kernel, where steps are short (loop_kernel.cpp); without waiting
/// for every condition, if the device can look at conditions by itself (loop_ahead.cpp); several iterations at a time, tile
/// by tile, if they consist of stencils and that pays (loop_tiled.cpp); made ready once for all iterations, on the host
/// (region/region.hpp); otherwise step by step.
#pragma once

#include "run/execute/execution.hpp"

#include <vector>

namespace sinter::runtime {

/// `dying`: variables of the frame that nothing reads behind the loop.
/// `plan`: that of the body in which the loop stands.
void run_loop(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan,
              Frame& frame);

/// Returns false if nothing was done because the loop cannot be one kernel, or steps are long.
bool run_loop_kernel(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying,
                     const BodyPlan& plan, Frame& frame);
/// Returns false if nothing was done and the loop has to wait for its conditions.
bool run_loop_ahead(const Execution& execution, const LoopStep& step, Frame& frame);
/// Returns false if nothing was done, or nothing that anybody can see: iterations are not of stencils, or tiles do not pay.
bool run_loop_tiled(const Execution& execution, const LoopStep& step, Frame& frame);
/// Whether the loops at this position of a plan, or behind steps there that only allocate, may be swept. Tapes, which those
/// allocate, are then not needed.
bool may_sweep(const Context& context, const BodyPlan& plan, std::size_t position, const Frame& frame);
/// Executes the loop at this position of a plan and the one behind it, which goes back through what the first has kept, tile
/// by tile. Returns false if nothing was done, or nothing that anybody can see.
bool run_loops_swept(const Execution& execution, const BodyPlan& plan, std::size_t position, Frame& frame);
/// Returns false if nothing was done because the loop is short or contains what has to be executed step by step.
bool run_loop_region(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying, Frame& frame);

/// Throws the Stopped of a loop that has completed this many iterations.
[[noreturn]] void throw_loop_stopped(const Context& context, const LoopStep& step, const RunControl::Loop& control,
                                     std::int64_t iterations);

}  // namespace sinter::runtime
