// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Chooses the copies for one body (repeat.hpp).
#pragma once

#include "fuse/rules/repeat.hpp"
#include "fuse/solve/problem/deadline.hpp"
#include "fuse/strategy/candidates.hpp"

namespace sinter::fuse {

/// The program that is copied from.
struct Source {
    const ir::Program& program;
    const ExtentsOf& extents;
    CostFunction function;
    solve::Deadline end;
    std::map<const ir::Binding*, Place> places;

    Prices prices(const ir::Program& of) const { return Prices(function, extents(of)); }
};

struct BodyCopies {
    std::vector<std::size_t> chosen;  ///< indices of candidates
    Optimum best;
    double arithmetic;  ///< of the copies
    double lower;       ///< no set of candidates that was tried costs less
    Groups groups;      ///< of the copies' readers
    bool exhaustive;
};

/// Chooses copies for body `number` (bodies.hpp). `least`: the cost of the body whatever is copied.
BodyCopies choose_copies(const Source& source, std::size_t number, const std::vector<Candidate>& candidates, double least);

/// The bindings that are copied.
std::set<Place> places_of(const Source& source, const std::vector<Candidate>& candidates,
                          const std::vector<std::size_t>& chosen);

}  // namespace sinter::fuse
