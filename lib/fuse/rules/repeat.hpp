// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recomputation: a cheap operation is repeated wherever its result is read, if that moves fewer bytes.
///
/// Fusion computes every operation once. A map whose results are read in two orders, or by clusters that cannot be merged,
/// is therefore written to memory. If it is cheap (candidates.hpp), each reader may have a copy of it instead, which costs
/// its arithmetic, in bytes that could be moved meanwhile (Prices::computed).
///
/// Bodies are independent, because copies are read in their own body only. In each body, copies that always pay are made. If
/// there are few other candidates, all sets of them are tried, each time with the best clusters for the resulting program.
/// If there are many, what is kept between operations that need complete results, as folds to scalars, is found by a
/// dynamic program with a bound of its own (storage.hpp). Where that does not apply, those that the best clusters keep in
/// memory are tried together; then, of these, the ones in parts of the body that became cheaper. Copies that end up in one
/// cluster are removed again.
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
    ir::Program program;  ///< with one binding per copy
    std::vector<Repeated> repeated;
    std::vector<Optimum> optima;  ///< by body (bodies.hpp): the best clusters of `program`
    double cost = 0,
           lower = 0;       ///< of all bodies, with arithmetic; no set of candidates that was tried costs less than `lower`
    double arithmetic = 0;  ///< of the copies
    std::size_t candidates = 0;
    bool depends_on_extents = false;  ///< with other extents there could be more candidates
    bool exhaustive = true;           ///< true if all sets of candidates that could cost less were tried
};

/// Computes the values of a program's sizes.
using ExtentsOf = std::function<Extents(const ir::Program&)>;

/// `program` has to be prepared. The search for clusters of each trial ends at its own default deadline, all trials together
/// at this one.
Repetition repeat(const ir::Program& program, const ExtentsOf& extents, CostFunction function = CostFunction::bytes,
                  std::chrono::duration<double> deadline = std::chrono::milliseconds(20));

}  // namespace sinter::fuse
