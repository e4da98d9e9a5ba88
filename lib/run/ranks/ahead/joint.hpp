// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What ranks store, chosen together with their layouts.
///
/// Fusion knows of one rank only. A kernel that computes elements where they are read, as that of a transpose of a sum,
/// makes ranks exchange everything from which the elements are made; stored, they are shared by points, and travel
/// themselves. And a kernel that ranks cannot share keeps what was fused into it from being shared, too.
///
/// Ways to store more are tried in the order of the bytes that then have to travel, each with the best fusion around what is
/// stored and the best layouts for that (placement.hpp). A variable that travels costs no less than its cheapest way to its
/// readers, each of them alone; and plans are taken to do no less work than any that has been seen, divided among the ranks
/// without a remainder. As soon as the next way would have to cost more than the best so far, no other can be cheaper.
///
/// Bits do not depend on the number of ranks. So nothing changes of kernels whose order of operations is not the program's
/// alone, which those with reduces, scans and updates are: they stay, letter by letter, those of one rank.
#pragma once

#include "run/ranks/ahead/placement.hpp"
#include "run/ranks/ahead/stored.hpp"

#include <memory>
#include <set>
#include <vector>

namespace sinter::runtime {

/// What could be stored besides, for less to travel.
struct Storable {
    StoredVariable variable;
    place::Price price;  ///< of travelling to those who read it, at least, and of the launch that makes it
};

/// Values inside of kernels that make ranks receive more than the operations around the value would, or that are whole on
/// all of them: what travels on its own, and what is made of that. All ranks find the same ones.
std::vector<Storable> storable(const Plan& plan, const Call& call, int ranks, const Placement& placement, Backend& host);

struct JointChoice {
    std::set<StoredVariable> stored;   ///< besides what the plan stores; empty where that is best
    std::shared_ptr<const Plan> plan;  ///< null if nothing is; else one without code
    JointSearch search;
};

/// The best of what was tried. `placement`: that of the plan. Needs no ranks: no messages are exchanged.
JointChoice choose_stored(const Plan& plan, const Call& call, int ranks, const Placement& placement,
                          const std::vector<Storable>& storable, Backend& host);

}  // namespace sinter::runtime
