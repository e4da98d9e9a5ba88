// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which operations of a body could be computed again wherever they are read.
#pragma once

#include "fuse/cost.hpp"

namespace sinter::fuse {

/// A map of a few fast instructions, not needed in memory, whose readers look at no more points than it has elements: a copy
/// for each of them makes the work grow by no more than their number. A reader that looks at several elements for each of
/// its points (a stencil) has a copy for each, if all of them together are cheap.
struct Candidate {
    Operation operation;
    const ir::Binding* binding;
    std::vector<const ir::Binding*> views;  ///< transparent operations through which it is read; they are copied with it
    bool one_order;                         ///< all its readers look at it in one order, each from its own points
    Operation reader;                       ///< if there is one only: copies change nothing unless there are some of it
    /// Whatever else is copied: with copies of it the best partition costs no more than without.
    bool always_pays;
};

struct Candidates {
    std::vector<Candidate> list;     ///< the last first
    bool depend_on_extents = false;  ///< with other extents there could be more
};

/// Those are left out whose copies change nothing, or for which it is known that they never pay.
Candidates candidates(const DepGraph& graph, const Extents& extents, const Prices& prices);

}  // namespace sinter::fuse
