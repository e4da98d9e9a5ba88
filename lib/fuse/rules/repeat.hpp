// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recomputation: a cheap operation is done again wherever its result is read, if that moves fewer bytes.
///
/// Fusion computes every operation once. A map whose results are read in two orders, or by clusters that cannot be one, is
/// therefore written to memory. Where that is cheap (candidates.hpp), each reader may have a copy of it instead. What it
/// costs to compute is not counted: loads and stores bound what is so cheap.
///
/// Bodies are independent: what is copied is read in its own body only. In each of them, copies that always pay are made;
/// of the other candidates all sets are tried where there are few, each time with the best clusters of what results. Where
/// there are many, those together that the best clusters keep in memory; then, of these, the ones in parts of the body that
/// became cheaper. Copies that end in one cluster are taken back.
#pragma once

#include "fuse/copies/copies.hpp"
#include "fuse/strategy/optimal.hpp"

#include <functional>

namespace sinter::fuse {

struct Repeated {
    ir::SiteId site;
    std::string name;   ///< of the operation
    std::size_t times;  ///< how often it is computed
};

struct Repetition {
    ir::Program program;  ///< with a binding for each copy
    std::vector<Repeated> repeated;
    std::vector<Optimum> optima;  ///< the best clusters of `program`, by body (bodies.hpp)
    double cost = 0, lower = 0;   ///< of all bodies; lower: of no set of candidates tried less
    std::size_t candidates = 0;
    bool depends_on_extents = false;  ///< with other extents there could be more candidates
    bool exhaustive = true;           ///< all sets of candidates that could cost less were tried
};

/// The values of a program's sizes.
using ExtentsOf = std::function<Extents(const ir::Program&)>;

/// `program` is prepared. The search for clusters of each trial ends at its own default deadline, all of them at this one.
Repetition repeat(const ir::Program& program, const ExtentsOf& extents, CostFunction function = CostFunction::bytes,
                  std::chrono::duration<double> deadline = std::chrono::milliseconds(20));

}  // namespace sinter::fuse
