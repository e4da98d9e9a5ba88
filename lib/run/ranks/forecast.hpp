// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How ranks would share the launches of a plan, and what would travel, without a launch or a message: for explain(), and
/// for numbers of ranks that nobody has.
#pragma once

#include "run/plan/plan.hpp"

#include <cstdint>
#include <map>
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

struct Forecast {
    struct Of {
        std::string how;  ///< "by points on 3 ranks"
        Received received;
    };
    std::map<const Step*, Of> steps;  ///< of loops, in an iteration after the first
    Received received;                ///< of one run; of branches the first is counted
    bool count_unknown = false;       ///< a loop, of which one iteration is counted, ends when data say so
};

/// `sizes`: of the program, estimated where data decide. `host`: the backend that would launch. Where the process is alone,
/// all arrays that are large enough are taken to be in blocks.
Forecast forecast(const Plan& plan, const Call& call, const std::vector<std::int64_t>& sizes, Backend& host, int ranks);

/// "on 3 ranks; received: 8192 bytes by the busiest, 16384 by all, at least 16384".
std::string text_of(const Received& received);

}  // namespace sinter::runtime
