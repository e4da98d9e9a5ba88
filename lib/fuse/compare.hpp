// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// For explain(): what each strategy would make of a body.
#pragma once

#include "fuse/cost.hpp"

namespace sinter::fuse {

struct Comparison {
    struct Entry {
        Strategy strategy;
        std::size_t clusters;
        double bytes;  ///< moved
    };
    std::vector<Entry> entries;
    double cost;   ///< of `partition`, launches included
    double lower;  ///< no legal partition costs less
};

/// Tries all strategies (greedy ones on graphs of moderate size only) beside `partition`, which one of them made.
Comparison compare(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                   const Partition& partition, const Extents& extents);

/// "greedy_down"
const char* name_of(Strategy strategy);

}  // namespace sinter::fuse
