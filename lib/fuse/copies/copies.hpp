// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs in which every reader of an operation has a copy of it.
#pragma once

#include "ir/program.hpp"

#include <limits>
#include <map>
#include <set>
#include <vector>

namespace sinter::fuse {

/// A binding's place in its program's text, those of nested bodies counted where they stand.
using Place = std::size_t;
std::map<const ir::Binding*, Place> places(const ir::Program& program);

struct Copies {
    ir::Program program;
    std::vector<std::vector<Place>> origins;  ///< by body (bodies.hpp) and binding of `program`: what it is (a copy of)
    bool complete = true;                     ///< all readers have theirs
};

/// A copy for each reader of these bindings, at most so many. Views that lead to them are among them if they are to be
/// copied along.
Copies with_copies(ir::Program program, const std::set<Place>& bindings,
                   std::size_t most = std::numeric_limits<std::size_t>::max());

/// How often each is there.
std::map<Place, std::size_t> times(const Copies& copies);

}  // namespace sinter::fuse
