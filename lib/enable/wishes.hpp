// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program could make of extents that happen to be equal, or small, in a call: programs are written for all extents,
/// and most calls of one have the same.
#pragma once

#include "ir/program.hpp"

#include <span>
#include <utility>
#include <vector>

namespace sinter::enable {

/// Holds for extents that make the two sizes of every pair equal, and the product of `low` at most that of `high`. All of
/// them are symbols that a call gives values to: extents of inputs, size arguments, values of inputs.
struct Wish {
    std::vector<std::pair<ir::SizeId, ir::SizeId>> equal;
    ir::Shape low, high;
    bool operator==(const Wish&) const = default;
};

/// Of a prepared program, each once:
///   - a map reads an array at its own index, but for the two being of one shape (index_reads.hpp);
///   - all results of a fold are read by a gather alone, which could gather the fold's elements instead: no more work than
///     before if there are no more indices than results.
/// Linear.
std::vector<Wish> wishes(const ir::Program& program);

/// What the program may do in calls in which `holding`, some of its wishes, hold: equal sizes have one name, and a gather of
/// folds is a fold of gathers. Optimisation makes use of it.
ir::Program assume(ir::Program program, std::span<const Wish> holding);

}  // namespace sinter::enable
