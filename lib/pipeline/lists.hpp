// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which passes run, in which order, and why in this order: lists.cpp.
#pragma once

#include "pipeline/pass.hpp"

#include <span>

namespace sinter::pipeline {

/// One round, with strip_mine between the two: derivatives that contain no derivative become what they compute.
std::span<const Pass> before_differentiation();
std::span<const Pass> differentiation();
/// Functions that have a rule for their derivative become what they compute.
std::span<const Pass> after_differentiation();
/// Programs with `vmap` become programs without.
std::span<const Pass> flattening();
/// Less work, the same operations (a pass may occur more than once).
std::span<const Pass> optimisation();
/// Other operations, of which fusion makes fewer kernels.
std::span<const Pass> enabling();
/// What only targets want whose updates can have several results.
std::span<const Pass> merging();

}  // namespace sinter::pipeline
