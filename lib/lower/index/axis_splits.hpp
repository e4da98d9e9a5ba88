// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Axes that a program counts as one although it means two: `generate(shape(n * m), [=](auto k) { return f(k / m, k % m);
/// })`. Counted as two, quotient and remainder are the indices of two loops, and what depends on one of them only is
/// computed once for each value of it. Decides which axes these are; split_axes.hpp writes them.
///
/// An axis may be split if its extent is a multiple of the divisor for all values of the sizes: all its factors are among
/// those of the extent. At most one of these may be negative; where it is, there are no points. Any other axis may be split
/// for launches whose sizes make it a multiple.
#pragma once

#include "lower/kernel.hpp"

#include <map>
#include <set>
#include <vector>

namespace sinter::lower {

/// An axis of points, of a reduce or a for_each, or the steps of a for_loop.
struct SplitAxis {
    SizeId quotient, remainder;  ///< the extents of the two axes, outermost first
    bool whole = false;          ///< its index is used as such, too
};

/// What an instruction becomes.
struct SplitResult {
    enum class Kind : std::uint8_t {
        quotient,   ///< the index along the outer axis, divided by `factor`
        remainder,  ///< that index modulo `factor`, times the inner extent, plus the index along the inner axis
        operand,    ///< its first operand: a check that holds
    } kind;
    std::size_t axis = 0;
    SizeId factor = {};  ///< invalid if it is one
};

/// What a launch has to fulfil: `extent` is a multiple of `divisor`, and that is at least `least`.
struct ExactSplit {
    SizeId extent, divisor;
    std::int64_t least;
};

struct AxisSplits {
    ir::SizeTable sizes;                         ///< those of the kernel, extended
    std::map<std::size_t, SplitAxis> axes;       ///< by number
    std::map<const Inst*, std::size_t> first;    ///< of a loop: the number of its first axis
    std::map<const Inst*, SplitResult> results;  ///< of instructions that change
    std::vector<ExactSplit> exact;               ///< what is assumed
};

/// Axes are numbered as they are met: first those of the space. `present`: sizes that are not negative; if it is null,
/// extents are assumed to be multiples.
AxisSplits axis_splits(const Kernel& kernel, const std::set<SizeId>* present);

}  // namespace sinter::lower
