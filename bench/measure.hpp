// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Interleaved timing: every contender runs once per round, so that whatever disturbs the machine disturbs all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One implementation of a case.
struct Contender {
    std::string name;
    std::function<void()> call;     ///< what is timed
    std::function<double()> check;  ///< sum over the result of the last call; empty for the limits of the machine
};

/// Seconds per call. Each sample is the mean of a batch that takes at least a millisecond, after a call that is not counted.
struct Timing {
    double median = 0;
    double fastest = 0;
};

/// One timing per contender, from `rounds` rounds. `between` is called after each round, so that others can have their turn.
std::vector<Timing> measure(const std::vector<Contender>& contenders, int rounds, const std::function<void()>& between = {});

}  // namespace bench
