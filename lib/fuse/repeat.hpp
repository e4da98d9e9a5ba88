// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recomputation: a cheap operation is done again wherever its result is read, if that moves fewer bytes.
///
/// Fusion computes every operation once. A map whose results are read in two orders, or by clusters that cannot be one, is
/// therefore written to memory. Where its function is a few fast instructions, it has readers that look at no more points
/// than it has elements, and nothing needs it in memory, each reader may have a copy of it instead; the work grows by no
/// more than the number of its readers. Which of these *candidates* to copy is decided by trying: all sets of them where
/// there are few, else one after the other, each time with the best clusters of what results. What it costs to compute is
/// not counted: loads and stores bound what is so cheap.
#pragma once

#include "fuse/cost.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <set>

namespace sinter::fuse {

struct Repeated {
    ir::SiteId site;
    std::string name;   ///< of the operation
    std::size_t times;  ///< how often it is computed
};

struct Repetition {
    ir::Program program;  ///< with a binding for each copy
    std::vector<Repeated> repeated;
    double cost = 0, lower = 0;  ///< of all bodies; lower: of no set of candidates tried less
    std::size_t candidates = 0;
    bool exhaustive = true;  ///< no set of candidates costs less
};

/// The values of a program's sizes.
using ExtentsOf = std::function<Extents(const ir::Program&)>;

/// At most this many candidates are tried in all combinations.
inline constexpr std::size_t most_candidates = 5;

/// A copy for each reader of these bindings, numbered as they stand in the program's text. Views that lead to them are among
/// them if they are to be copied along.
struct Copies {
    ir::Program program;
    std::map<std::size_t, std::size_t> times;  ///< by binding: how often it is there
};
Copies with_copies(ir::Program program, const std::set<std::size_t>& bindings);

/// `program` is prepared. The search for clusters of each trial ends at its own default deadline, all of them at this one.
Repetition repeat(const ir::Program& program, const ExtentsOf& extents, CostFunction function = CostFunction::bytes,
                  std::chrono::duration<double> deadline = std::chrono::milliseconds(20));

}  // namespace sinter::fuse
