// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What ranks receive for one launch, without making it.
#pragma once

#include "place/share.hpp"
#include "run/parts.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::runtime {

/// Bytes that ranks receive; what they tell each other when they meet is not counted.
struct Received {
    std::vector<std::int64_t> by_rank;
    std::int64_t at_least =
        0;  ///< by all ranks: what their parts read and they do not have, and what results on all ranks need
    bool data_decides = false;  ///< the number depends on values, and is an estimate

    void add(const Received& other, std::int64_t times);
    std::int64_t all() const;
    std::int64_t most() const;
};

/// What ranks receive for a launch that they share in this way.
Received received_for(const place::LaunchFacts& facts, const place::Share& share, const SharedKernel& shared, int ranks);

/// "received: 8192 bytes by the busiest, 16384 by all, at least 16384".
std::string text_of(const Received& received);

}  // namespace sinter::runtime
