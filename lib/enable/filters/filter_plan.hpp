// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What push_filters does with each compact and what reads it.
///
/// A variable is *derived* from a compact if it is one of its arrays, or a result of a map over arrays derived from it that
/// may as well go over the full ones: it is not indexed, reads no arrays, and cannot fail.
///
/// A compact *dissolves* if all uses of derived variables are by such maps, folds of them, and compacts by a mask derived as
/// well: no array of the compact is needed. It stays all the same if one of the folds needs the result of another, or the
/// count: two passes over all elements cost more than writing those that are kept, once. Mathematical functions and loops
/// are never executed for elements that a filter drops.
///
/// Of a compact that stays, maps *move* before it if one of their results is needed in memory, if what they capture is
/// defined before, if nothing in them is expensive (opt/cost.hpp), and if no more arrays are written than before.
#pragma once

#include "ir/program.hpp"

#include <unordered_map>
#include <vector>

namespace sinter::enable {

struct FilterDecision {
    bool masked = false;     ///< goes over the full arrays of what it reads, whose compact dissolves
    bool dissolves = false;  ///< compacts only
    bool moves = false;      ///< a map: its results are those of its compact, or unused

    struct Moved {
        const ir::Binding* map;
        std::size_t level;  ///< of its first result
    };
    std::vector<Moved> moved;       ///< of a compact: the maps that move before it, in order
    std::vector<ir::ValueId> kept;  ///< of a compact that stays: its arrays, and results of moved maps, that are needed
};

/// By binding, at its address in `program`; none for what stays as it is.
using FilterPlan = std::unordered_map<const ir::Binding*, FilterDecision>;

FilterPlan plan_filters(const ir::Program& program);
/// The same of compacts in functions of slices (vmap) alone, which there all dissolve that can: arrays of other extents in
/// every slice would not do. Mathematical functions and loops are executed for what is dropped, if they cannot fail.
FilterPlan plan_filters_of_slices(const ir::Program& program);

}  // namespace sinter::enable
