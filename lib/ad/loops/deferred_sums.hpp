// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that add outer products to an adjoint.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// In the reverse sweep of a loop, each iteration adds to the adjoints of what the body uses from outside. For a matrix
/// times a vector this is an outer product, and each addition goes over the whole adjoint. Where both vectors have the shape
/// of a state of which the forward sweep keeps all of each iteration, or are rows of an array from outside, another one in
/// each iteration, they are kept instead, and one contraction after the loop adds all products. Only for the states in
/// Loop::sums: reverse mode may add them up in any order.
ir::Program deferred_sums(ir::Program program);

}  // namespace sinter::ad
