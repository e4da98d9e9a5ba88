// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batching rules, one per operation, as for vmap in JAX; regular flattening as in Henriksen et al., "Futhark: Purely
// Functional GPU-Programming with Nested Parallelism and In-Place Array Updates" (PLDI 2017), section 5. There, flattening
// stops where it does not pay; here all axes are flat, and fusion decides what becomes one kernel.
//
// A variable of a vmap's body is *batched* if it depends on the slice (batched.hpp). Batched variables get the vmap's extent
// as an outermost axis, and so does every operation on them; everything else is computed once. Nests are lifted from the
// inside out, so a rule never sees a vmap.
#include "enable/lift/lift.hpp"

#include "enable/lift/lifter.hpp"
#include "enable/lift/rows.hpp"
#include "enable/slices/nests.hpp"

namespace sinter::enable {

namespace {

ir::Program lift_all(ir::Program program, std::vector<SliceBySlice>* found) {
    while (contains_flat_nest(program.body))
        program = Lifter().run(irregular_loops(interchange_rows(std::move(program)), found));
    return program;
}

}  // namespace

ir::Program lift(ir::Program program) { return lift_all(std::move(program), nullptr); }

ir::Program lift(ir::Program program, std::vector<SliceBySlice>& found) { return lift_all(std::move(program), &found); }

}  // namespace sinter::enable
