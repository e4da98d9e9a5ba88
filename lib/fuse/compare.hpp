// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// For explain(): what each strategy would make of a program.
#pragma once

#include "fuse/cost.hpp"

namespace sinter::fuse {

/// The sums over all bodies.
struct Comparison {
    struct Entry {
        Strategy strategy;
        std::size_t clusters = 0;
        double bytes = 0;  ///< bytes moved
    };
    std::vector<Entry> entries;
    double cost = 0;   ///< cost of the partitions, including launches
    double lower = 0;  ///< no legal partitions cost less
};

/// Adds what the heuristics make of all bodies; the greedy ones are tried on bodies of moderate size only.
void compare_heuristics(const ir::Program& program, const Extents& extents, Comparison& comparison);
/// Adds the best partition of a body, for comparison with `partition`, which one of the strategies made.
void compare_best(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                  const Partition& partition, const Extents& extents, Comparison& comparison);

/// For example "greedy_down".
const char* name_of(Strategy strategy);

}  // namespace sinter::fuse
