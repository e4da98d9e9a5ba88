// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/lists.hpp"

#include "ad/derivatives.hpp"
#include "ad/inline_custom.hpp"
#include "ad/loops/expand_loops.hpp"
#include "ad/loops/outer_views.hpp"
#include "enable/filters/merge_filters.hpp"
#include "enable/filters/push_filters.hpp"
#include "enable/index/index_reads.hpp"
#include "enable/lift/lift.hpp"
#include "enable/loops/blocked_steps.hpp"
#include "enable/loops/interchange.hpp"
#include "enable/loops/partial_steps.hpp"
#include "enable/loops/recurrences.hpp"
#include "enable/loops/settled_loops.hpp"
#include "enable/merge_scatters.hpp"
#include "enable/red_flat.hpp"
#include "enable/segment_scatters.hpp"
#include "enable/split_maps.hpp"
#include "enable/widen_late.hpp"
#include "opt/passes.hpp"

namespace sinter::pipeline {

namespace {

using namespace enable;
using namespace opt;

constexpr Pass before_differentiation_passes[] = {
    {"expand_loops", ad::expand_loops},  // before lift: it makes vmaps of loops
    {"lift", lift},                      // the rules are for flat operations only
    {"outer_views", ad::outer_views},    // after lift, which makes views of slices
};

constexpr Pass differentiation_passes[] = {
    {"differentiate", ad::differentiate},  // derivatives of what is flat now; those around them wait for the next round
};

constexpr Pass after_differentiation_passes[] = {
    {"inline_custom", ad::inline_custom},  // by now, the rules have served all derivatives around them
};

constexpr Pass flattening_passes[] = {
    {"scalar_control", scalar_control},                  // before lift: every slice keeps control flow of its own
    {"push_filters_of_slices", push_filters_of_slices},  // before lift, which writes what filters keep of slices to
                                                         // memory, in segments
    {"lift", lift},                                      // last: whatever it cannot lift, an earlier pass had to remove
};

constexpr Pass optimisation_passes[] = {
    {"simplify", simplify},                    // first: it makes constants, copies and equal functions visible
    {"scalars", scalars},                      // after simplify, which finds the rank-0 constants that it spreads
    {"simplify", simplify},                    // once more: with the constants that scalars has put into functions
    {"first_of_sorts", first_of_sorts},        // after simplify, which merges slices; before copy_propagation: slices become
                                               // copies
    {"copy_propagation", copy_propagation},    // after simplify: x * 1 is a copy now; before hoist: states that never change
                                               // make more bindings independent of the iteration
    {"segment_scatters", segment_scatters},    // after copy_propagation, before cse: makers of indices become unused
    {"cancel_transposes", cancel_transposes},  // after simplify, which merges adjacent views
    {"turn_folds", turn_folds},                // after cancel_transposes: more transpositions have no other readers
    {"unflatten", unflatten},                  // after copy_propagation, which merges reshapes of reshapes
    {"repeat_maps", repeat_maps},      // after copy_propagation, which merges broadcasts; before hoist: what it makes is
                                       // small
    {"loop_guards", loop_guards},      // before hoist, which moves what may fail past guards under a condition
    {"hoist", hoist},                  // before cse: equal scalars hoisted from several functions are merged
    {"cse", cse},                      // after everything that makes bindings equal
    {"sink", sink},                    // after cse, which names what is made in a body after what is made outside
    {"order_updates", order_updates},  // after hoist, cse and sink, which compare and move what reads arrays
    {"dead_code", dead_code},          // last: all other passes leave unused bindings, arguments and captures
};

constexpr Pass enabling_passes[] = {
    {"recurrences", recurrences},              // first: the others find reads in the maps that it makes
    {"interchange", interchange},              // after optimisation, which moves out of loops whatever need not be in them
    {"settled_loops", settled_loops},          // after interchange, which makes loops over arrays loops in functions
    {"index_reads", index_reads},              // after interchange, which wants loops of maps without views
    {"partial_steps", partial_steps},          // after index_reads, which leaves reads at the counter, and no others
    {"blocked_steps", blocked_steps},          // after partial_steps, which finds boxes
    {"cancel_transposes", cancel_transposes},  // after recurrences, which computes lines of transposed arrays
    {"red_flat", red_flat},                    // anywhere: folds of folds are neither made nor removed by the others
    {"push_filters", push_filters},    // after interchange, which makes maps of loops, and index_reads: functions that read
                                       // arrays stay behind a filter
    {"merge_filters", merge_filters},  // after push_filters: those that are left are needed in memory
    {"push_filters", push_filters},    // once more: maps over arrays of what was several filters
    {"axis_work", axis_work},          // late: the others look for indices, not for arrays that have them
    {"split_maps", split_maps},        // last: the others make maps of several results, and want them whole
};

constexpr Pass widening_passes[] = {
    {"widen_late", widen_late},  // after all that makes and moves products
    {"dead_code", dead_code},    // casts whose results nobody reads any more
};

constexpr Pass merging_passes[] = {
    {"merge_scatters", merge_scatters},  // after all passes that move or merge what scatters need
};

}  // namespace

std::span<const Pass> before_differentiation() { return before_differentiation_passes; }
std::span<const Pass> differentiation() { return differentiation_passes; }
std::span<const Pass> after_differentiation() { return after_differentiation_passes; }
std::span<const Pass> flattening() { return flattening_passes; }
std::span<const Pass> optimisation() { return optimisation_passes; }
std::span<const Pass> enabling() { return enabling_passes; }
std::span<const Pass> widening() { return widening_passes; }
std::span<const Pass> merging() { return merging_passes; }

}  // namespace sinter::pipeline
