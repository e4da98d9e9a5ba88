// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace bench {
namespace {

constexpr double batch_seconds = 3e-3, warm_up_seconds = 3e-3;

double seconds(const std::function<void()>& call, int times) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < times; ++k) call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

int batch_size(const std::function<void()>& call) {
    call();
    const double once = std::min(seconds(call, 1), seconds(call, 1));
    return std::clamp(static_cast<int>(batch_seconds / once) + 1, 1, 100000);
}

/// Threads of the contender before may still spin for work (those of libgomp 300,000 pauses, about 10 ms); they would take a
/// processor from the next one.
void let_threads_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

/// After a sleep the caches are somebody else's and the clock is slow.
void warm_up(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < warm_up_seconds) call();
}

}  // namespace

std::vector<Timing> measure(const std::vector<Contender>& contenders, int rounds, const std::function<void()>& between) {
    std::vector<int> batches;
    for (const Contender& c : contenders) batches.push_back(batch_size(c.call));
    std::vector<std::vector<double>> samples(contenders.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t c = 0; c < contenders.size(); ++c) {
            let_threads_sleep();
            warm_up(contenders[c].call);
            samples[c].push_back(seconds(contenders[c].call, batches[c]));
        }
        if (between) between();
    }
    std::vector<Timing> timings;
    for (std::vector<double>& s : samples) {
        std::sort(s.begin(), s.end());
        timings.push_back({s[s.size() / 2], s.front()});
    }
    return timings;
}

}  // namespace bench
