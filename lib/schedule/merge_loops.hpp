// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops of a point that go over the same range, one of which folds and one of which updates accumulators, become one: what
/// both load is loaded once, and while one waits for memory the other computes (a matrix times a vector and its transpose
/// times another: mvt and bicg of bench/npbench). The element block of the reduce executes the updates, too.
///
/// Only for the host, where lanes execute a point's loops one after another. On a card, threads share the loop that folds.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::schedule {

/// The kernel with loops merged where nothing that either does can be seen by the other.
lower::Kernel merge_loops(const lower::Kernel& kernel);

}  // namespace sinter::schedule
