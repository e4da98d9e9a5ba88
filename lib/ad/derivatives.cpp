// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the inside out: what a derivative contains is flat when it is differentiated, and what encloses it comes later. So
// there are rules for flat operations only, nested derivatives cannot confuse their perturbations, and a vmap of a
// derivative leaves the primal values, which do not depend on the slice, as they are.
//
// Forward mode as in Elliott, "The Simple Essence of Automatic Differentiation" (ICFP 2018); reverse mode over bulk
// operations as in Schenck et al., "AD for an Array Language with Nested Parallelism" (SC 2022), without its tape object:
// the reverse sweep refers to variables of the forward sweep, and whether one is kept or computed again is for fusion to
// decide.
#include "ad/derivatives.hpp"

#include "ad/forward.hpp"
#include "ad/reverse/reverse.hpp"

namespace sinter::ad {

using namespace ir;

// Reverse mode first: what forward mode leaves to it, the transposed rules of custom derivatives and derivatives around it,
// has to go through the other passes of a round.
Program differentiate(Program program) { return Forward().run(Reverse().run(std::move(program))); }

}  // namespace sinter::ad
