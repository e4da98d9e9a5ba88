// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Maps that read against the grain, as a transpose does: neighbours along the axis before the innermost one are contiguous
/// in memory. Several rows of points go together: a lane loads the elements of all of them at once, and squares are
/// transposed in registers, so that whole cache lines are read and whole ones are written. Where a square is smaller than a
/// line, a few form a block: they go one after another, so that lines are complete before others displace them. That matters
/// most where rows are a power of two of bytes long and lie in few sets of a cache.
#pragma once

#include "schedule/facts/facts.hpp"
#include "schedule/lanes.hpp"

#include <optional>
#include <vector>

namespace sinter::schedule {

struct Squares {
    int width = 1;                          ///< number of lanes, along the innermost axis
    int rows = 1;                           ///< number of points along the axis before it
    int beside = 1;                         ///< squares of a block along the innermost axis: they store whole lines
    int below = 1;                          ///< squares of a block along the axis before it: they read whole lines
    std::vector<const lower::Inst*> loads;  ///< the loads against the grain
    bool narrow = true;                     ///< all these loads are of 8 or 16 bits
    Lanes rest;                             ///< the lanes of points that do not fill a square
};

/// True if a kernel only loads, computes, and stores new arrays: points may then be executed twice. Indices may be divided
/// by extents, which are not 0 where there are points, and be checked if `checked`.
bool computes_elements(const lower::Kernel& kernel, bool checked);
/// True for an index that equals its operand only within borders: beyond these, neighbours are not contiguous.
bool is_bordered(ir::Op op);
/// True for a value that is no index, by how it varies along both axes.
bool is_computed(const Pattern& by_row, const Pattern& by_lane);

/// The squares of a kernel; nothing if it has no such loads, or does more than move elements.
std::optional<Squares> squares(const Machine& machine, const lower::Kernel& kernel, const Facts& facts);

}  // namespace sinter::schedule
