// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How ranks would share the launches of a plan, and what would travel, without a launch or a message: for explain(), and
/// for numbers of ranks that nobody has.
#pragma once

#include "run/plan/plan.hpp"
#include "run/ranks/ahead/received.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinter::runtime {

struct Forecast {
    std::shared_ptr<const Plan> plan;  ///< whose steps these are: one that stores more, or null for the one of the call
    struct Of {
        std::string how;  ///< "by points on 3 ranks"
        Received received;
    };
    std::map<const Step*, Of> steps;  ///< of loops, in an iteration after the first
    Received received;                ///< of one run; of branches the first is counted
    std::string choice;               ///< what sharing saves
    bool count_unknown = false;       ///< a loop, of which one iteration is counted, ends when data say so
};

/// `host`: the backend that would launch. Where the process is alone, all arrays that are large enough are taken to be in
/// blocks.
Forecast forecast(const Plan& plan, const Call& call, Backend& host, int ranks);

}  // namespace sinter::runtime
