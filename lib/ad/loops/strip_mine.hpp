// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that keep less for their reverse sweep.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// Turns loops over arrays in a vjp into loops over segments of iterations. Reverse mode keeps the states before each
/// segment, and, for one segment at a time, those before each iteration: it executes the segment again when it gets there.
/// So about 2 sqrt n of n states are kept, at the price of one more execution of the loop (Griewank, "Achieving Logarithmic
/// Growth of Temporal and Spatial Complexity in Reverse Automatic Differentiation", 1992, with one level). As many of the
/// last iterations as have states of `tape` bytes keep all of them, and are executed once. Of states that go through updates
/// of single elements, iterations keep these elements only, so that there are more iterations in a segment.
ir::Program strip_mine(ir::Program program, std::int64_t tape);

}  // namespace sinter::ad
