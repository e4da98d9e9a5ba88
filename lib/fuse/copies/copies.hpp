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

/// Readers of one group share a copy, which reads the copies of that group. By place: of readers, and of what is copied,
/// which is there in its own group; every other reader is alone.
using Groups = std::map<Place, std::size_t>;

/// Makes a copy of these bindings for each reader or group of readers, at most `most` of them. Views through which they are
/// read have to be among them if they are to be copied as well.
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
Copies with_copies(ir::Program program, const std::set<Place>& bindings, std::size_t most = no_limit,
                   const Groups& groups = {});

/// How many times each binding is computed.
std::map<Place, std::size_t> times(const Copies& copies);

}  // namespace sinter::fuse
