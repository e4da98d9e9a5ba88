// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The choice of copies for one body (repeat.hpp).
#pragma once

#include "fuse/rules/repeat.hpp"
#include "fuse/solve/problem/deadline.hpp"
#include "fuse/strategy/candidates.hpp"

namespace sinter::fuse {

/// The program that copies are made in.
struct Source {
    const ir::Program& program;
    const ExtentsOf& extents;
    CostFunction function;
    solve::Deadline end;
    std::map<const ir::Binding*, Place> places;

    Prices prices(const ir::Program& of) const { return Prices(function, extents(of)); }
};

struct BodyCopies {
    std::vector<std::size_t> chosen;  ///< of the candidates
    Optimum best;
    double lower;  ///< no set of candidates tried costs less
    bool exhaustive;
};

/// Of body `number` (bodies.hpp). `least`: what it costs whatever is copied.
BodyCopies choose_copies(const Source& source, std::size_t number, const std::vector<Candidate>& candidates, double least);

/// The bindings of which there are copies.
std::set<Place> places_of(const Source& source, const std::vector<Candidate>& candidates,
                          const std::vector<std::size_t>& chosen);

}  // namespace sinter::fuse
