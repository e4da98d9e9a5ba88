// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Works from the inside out: whatever a derivative contains is flat when it is differentiated, and what encloses it comes
// later. So rules are needed for flat operations only, nested derivatives cannot confuse their perturbations, and a vmap of
// a derivative does not touch the primal values, which do not depend on the slice.
//
// Forward mode follows Elliott, "The Simple Essence of Automatic Differentiation" (ICFP 2018); reverse mode over bulk
// operations follows Schenck et al., "AD for an Array Language with Nested Parallelism" (SC 2022), but without a tape
// object: the reverse sweep refers to variables of the forward sweep, and fusion decides whether these are kept or computed
// again.
#include "ad/derivatives.hpp"

#include "ad/forward.hpp"
#include "ad/loops/deferred_sums.hpp"
#include "ad/reverse/reverse.hpp"

namespace sinter::ad {

using namespace ir;

// Reverse mode comes first: what forward mode leaves to it (the transposed rules of custom derivatives, and derivatives
// around it) has to go through the other passes of a round.
Program differentiate(Program program) { return Forward().run(deferred_sums(Reverse().run(std::move(program)))); }

}  // namespace sinter::ad
