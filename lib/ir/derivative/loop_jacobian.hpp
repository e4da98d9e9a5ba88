// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops of scalar functions in reverse mode: forward mode computes the Jacobian of the whole loop along with its states, in
/// registers, so that nothing is kept for the way back ("preaccumulation": Griewank and Walther, "Evaluating Derivatives",
/// 2008, chapter 10).
#pragma once

#include "ir/derivative/terms.hpp"
#include "ir/derivative/varied_locals.hpp"

#include <vector>

namespace sinter::ir::derivative {

/// What a loop depends on and wants an adjoint: initial states and locals from outside, which has this level. Increasing.
std::vector<Local> varied_inputs(const Inst& loop, std::size_t level, const VariedLocals& varied);

/// True if the Jacobian of a loop at the level of `varied` can be computed along with its states: it reads no array of which
/// adjoints are wanted, and at most `inputs` wanted numbers go into it.
bool can_carry_jacobian(const Inst& loop, const VariedLocals& varied, std::size_t inputs);

/// The results of a loop, and the derivatives of those that are floating-point numbers by each of its inputs.
struct LoopJacobian {
    std::vector<Local> inputs;                   ///< of the function that is read
    std::vector<Local> results;                  ///< of the function that is written; so are the derivatives
    std::vector<std::vector<Term>> derivatives;  ///< by input, then by result
};

/// Writes the loop; `primal`: by local of the function that is read.
LoopJacobian loop_with_jacobian(BlockBuilder& to, const Inst& loop, std::vector<Local> inputs,
                                const std::vector<Local>& primal);

/// The same where another function has computed it: results and derivatives are consecutive locals from `first` on, in the
/// order of jacobian_locals().
LoopJacobian recorded_loop(const Inst& loop, std::vector<Local> inputs, Local first);
std::vector<Local> jacobian_locals(const LoopJacobian& jacobian);

}  // namespace sinter::ir::derivative
