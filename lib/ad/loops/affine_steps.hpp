// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps back that are affine in the adjoint: a scan can make them.
#pragma once

#include "ir/function.hpp"

namespace sinter::ad {

/// Whether result n of a step, of the first `states` ones, depends on no other of the first `states` parameters than number
/// n, and only by sums and products with finite factors: then it is factor * parameter + summand.
bool is_diagonal(const ir::Fn& step, std::size_t states);

/// {parameters of the step but the first `dropped` -> the factors, then the summands}. Parameters [first_seed, end_seed) are
/// cotangents, which belong to the summands.
ir::Fn affine_parts(const ir::Fn& step, std::size_t states, std::size_t dropped, std::size_t first_seed,
                    std::size_t end_seed);

/// {factors, summands, factors, summands -> the same of both maps, one after the other}. `right_first`: the right operand is
/// applied first.
ir::Fn compose_affine(const std::vector<ir::Scalar>& states, bool right_first);

}  // namespace sinter::ad
