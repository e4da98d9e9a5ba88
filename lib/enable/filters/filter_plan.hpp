// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides what push_filters does with each compact and with what reads it.
///
/// A variable is *derived* from a compact if it is one of its arrays, or a result of a map over arrays derived from it that
/// may as well go over the full arrays: it is not indexed, reads no arrays, and cannot fail.
///
/// A compact *dissolves* if all uses of derived variables are by such maps, by folds of them, and by compacts whose masks
/// are derived as well: then no array of the compact is needed. It stays nevertheless if one of the folds needs the result
/// of another, or the count, because two passes over all elements cost more than writing those that are kept once.
/// Mathematical functions and loops are never executed for elements that a filter drops.
///
/// If a compact stays, maps *move* before it if one of their results is needed in memory, if what they capture is defined
/// before, if nothing in them is expensive (opt/cost.hpp), and if no more arrays are written than before.
#pragma once

#include "ir/program.hpp"

#include <unordered_map>
#include <vector>

namespace sinter::enable {

struct FilterDecision {
    bool masked = false;     ///< it goes over the full arrays of what it reads, whose compact dissolves
    bool dissolves = false;  ///< for compacts only
    bool moves = false;      ///< for a map: its results are those of its compact, or are unused

    struct Moved {
        const ir::Binding* map;
        std::size_t level;  ///< of its first result
    };
    std::vector<Moved> moved;       ///< for a compact: the maps that move before it, in order
    std::vector<ir::ValueId> kept;  ///< for a compact that stays: its arrays, and results of moved maps, that are needed
};

/// By binding, at its address in `program`; there is no entry for what stays as it is.
using FilterPlan = std::unordered_map<const ir::Binding*, FilterDecision>;

FilterPlan plan_filters(const ir::Program& program);
/// The same for compacts in functions of slices (vmap) only. There, all that can dissolve do so, because extents that differ
/// from slice to slice would not be possible. Mathematical functions and loops that cannot fail are executed even for
/// elements that are dropped.
FilterPlan plan_filters_of_slices(const ir::Program& program);

}  // namespace sinter::enable
