// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the operations of a body that could be computed again wherever they are read.
#pragma once

#include "fuse/cost.hpp"

namespace sinter::fuse {

/// A map of a few fast instructions that is not needed in memory and whose readers look at no more points than it has
/// elements: with one copy per reader, the work grows at most by the number of readers. A reader that looks at several
/// elements per point (a stencil) has a copy for each of them, if all copies together are cheap.
struct Candidate {
    Operation operation;
    const ir::Binding* binding;
    std::vector<const ir::Binding*> views;  ///< transparent operations through which it is read; they are copied with it
    bool one_order;                         ///< all its readers look at it in one order, each from its own points
    Operation reader;                       ///< its reader, if there is only one: then copies change nothing unless the
                                            ///< reader itself is copied
    /// True if, whatever else is copied, the best partition with copies of it costs no more than without.
    bool always_pays;
    double arithmetic;  ///< what a further copy of it costs (Prices::computed); nothing if copies always pay
};

struct Candidates {
    std::vector<Candidate> list;     ///< the last one first
    bool depend_on_extents = false;  ///< with other extents there could be more candidates
};

/// Leaves out operations whose copies change nothing, and those whose copies are known never to pay.
Candidates candidates(const DepGraph& graph, const Extents& extents, const Prices& prices);

}  // namespace sinter::fuse
