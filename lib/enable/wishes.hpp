// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program could gain if certain extents happened to be equal, or small, in a call. Programs are written for all
/// extents, but most calls of a program have the same.
#pragma once

#include "ir/program.hpp"
#include "ir/sizes/bounds.hpp"

#include <span>
#include <utility>
#include <vector>

namespace sinter::enable {

/// A wish holds for extents that make the two sizes of every pair equal, the product of `low` at most that of `high`, and
/// all of `at_most` true. All sizes are made of symbols to which a call gives values: extents of inputs, size arguments,
/// values of inputs.
struct Wish {
    std::vector<std::pair<ir::SizeId, ir::SizeId>> equal;
    ir::Shape low, high;
    std::vector<ir::AtMost> at_most = {};
    bool operator==(const Wish&) const = default;
};

/// The wishes of a prepared program, each once:
///   - a map would read an array at its own index if the two had the same shape (index_reads.hpp);
///   - all results of a fold are read by a single gather, which could gather the fold's elements instead: that is no more
///     work than before if there are no more indices than results;
///   - what is gathered for a transposed result could be transposed before (index/turned_reads.hpp), if that is no more
///     than what is gathered;
///   - a loop would be a recurrence (loops/loop_wishes.hpp), or its steps would change a part of an array
///     (loops/partial_steps.hpp).
/// Enters sizes into the program's table. Linear, but for loops that fill arrays.
std::vector<Wish> wishes(ir::Program& program);

/// What the program may do in calls in which `holding`, some of its wishes, hold: equal sizes get one name, and a gather of
/// folds becomes a fold of gathers. Optimisation makes use of this.
ir::Program assume(ir::Program program, std::span<const Wish> holding);

}  // namespace sinter::enable
