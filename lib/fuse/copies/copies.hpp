// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs in which every reader of an operation has its own copy of it.
#pragma once

#include "ir/program.hpp"

#include <limits>
#include <map>
#include <set>
#include <vector>

namespace sinter::fuse {

/// A binding's position in the text of its program, where the bindings of nested bodies are counted where they stand.
using Place = std::size_t;
std::map<const ir::Binding*, Place> places(const ir::Program& program);

struct Copies {
    ir::Program program;
    std::vector<std::vector<Place>> origins;  ///< by body (bodies.hpp) and binding of `program`: the place of the binding
                                              ///< that it is or copies
    bool complete = true;                     ///< every reader has its copy
};

/// Makes a copy of these bindings for each reader, at most `most` of them. Views through which they are read have to be
/// among them if they are to be copied as well.
Copies with_copies(ir::Program program, const std::set<Place>& bindings,
                   std::size_t most = std::numeric_limits<std::size_t>::max());

/// How many times each binding is computed.
std::map<Place, std::size_t> times(const Copies& copies);

}  // namespace sinter::fuse
