// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The passes, in the order in which they run; lists.cpp gives the reasons for the order.
#pragma once

#include "pipeline/pass.hpp"

#include <span>

namespace sinter::pipeline {

/// One round, with strip_mine between the two lists: derivatives that contain no derivative are replaced by what they
/// compute.
std::span<const Pass> before_differentiation();
std::span<const Pass> differentiation();
/// Replaces functions that have a rule for their derivative by what they compute.
std::span<const Pass> after_differentiation();
/// Turns programs with `vmap` into programs without.
std::span<const Pass> flattening();
/// Reduces the work, but keeps the kinds of operations (a pass may occur more than once).
std::span<const Pass> optimisation();
/// Replaces operations by others of which fusion makes fewer kernels.
std::span<const Pass> enabling();
/// Passes only for targets that multiply halves, where a program may round otherwise than the interpreter.
std::span<const Pass> widening();
/// Passes only for targets whose updates can have several results.
std::span<const Pass> merging();

}  // namespace sinter::pipeline
