// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the programs that compare fusion strategies have in common: the names of strategies, and calls that take turns.
#pragma once

#include <sinter/sinter.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace bench {

/// The last one is what the others are compared with.
inline constexpr std::pair<const char*, sinter::Fusion> strategies[] = {{"none", sinter::Fusion::none},
                                                                        {"greedy_down", sinter::Fusion::greedy_down},
                                                                        {"greedy_up", sinter::Fusion::greedy_up},
                                                                        {"t2", sinter::Fusion::t2},
                                                                        {"optimal", sinter::Fusion::optimal}};

inline double seconds(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The seconds of each call in each turn. Each turn begins with another call, so that whatever else the machine does
/// disturbs all of them. Each call is made once before it is timed, because the caches hold the data of the call before it.
inline std::vector<std::vector<double>> take_turns(const std::vector<std::function<void()>>& calls, std::size_t turns) {
    std::vector<std::vector<double>> times(calls.size());
    for (std::size_t turn = 0; turn < turns; ++turn)
        for (std::size_t k = turn; k < turn + calls.size(); ++k) {
            const std::function<void()>& call = calls[k % calls.size()];
            call();
            times[k % calls.size()].push_back(seconds(call));
        }
    return times;
}

}  // namespace bench
