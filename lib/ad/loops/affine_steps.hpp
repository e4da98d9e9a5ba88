// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Backward steps that are affine in the adjoint, so that a scan can execute them.
#pragma once

#include "ir/function.hpp"

namespace sinter::ad {

/// True if each result n of a step, among the first `states` ones, depends on no other of the first `states` parameters than
/// number n, and on that only by sums and by products with finite factors: then it is factor * parameter + summand.
bool is_diagonal(const ir::Fn& step, std::size_t states);

/// {parameters of the step except the first `dropped` -> the factors, then the summands}. Parameters [first_seed, end_seed)
/// are cotangents, which belong to the summands.
ir::Fn affine_parts(const ir::Fn& step, std::size_t states, std::size_t dropped, std::size_t first_seed,
                    std::size_t end_seed);

/// {factors, summands, factors, summands -> those of the composition of the two maps}. `right_first`: the right operand is
/// applied first.
ir::Fn compose_affine(const std::vector<ir::Scalar>& states, bool right_first);

}  // namespace sinter::ad
