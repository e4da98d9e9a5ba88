// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/thread_costs.hpp"

#include "run/threads/threads.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace sinter::runtime {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

double median(std::vector<double> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

double empty_loops(int count) {
    const int threads = default_threads();
    const auto begin = Clock::now();
    for (int k = 0; k < count; ++k) parallel_for(threads, threads, [](std::int64_t) {});
    return Microseconds(Clock::now() - begin).count() / count;
}

/// As calibrated, or `usual` if there is no calibration, or none that makes sense.
std::chrono::nanoseconds times(const Calibration& calibration, const char* what, double factor,
                               std::chrono::nanoseconds usual) {
    const auto found = calibration.find(what);
    if (found == calibration.end() || !(found->second > 0)) return usual;
    const Microseconds time(factor * found->second);
    return std::clamp(std::chrono::duration_cast<std::chrono::nanoseconds>(time), usual / 4, usual * 32);
}

}  // namespace

Calibration measure_threads() {
    if (default_threads() == 1) return {{loop_shared, 0}, {loop_woken, 0}};
    std::vector<double> shared, woken;
    for (int k = 0; k < 21; ++k) {
        std::this_thread::sleep_for(5ms);  // longer than threads wait awake
        woken.push_back(empty_loops(1));
        empty_loops(100);
        shared.push_back(empty_loops(1000));
    }
    return {{loop_shared, median(shared)}, {loop_woken, median(woken)}};
}

/// A loop on two threads takes half its time plus the cost of sharing it. In addition, waiting threads do not find their own
/// data in their caches, and threads that are woken come late.
WorthSharing worth_sharing(const Calibration& calibration) {
    return {times(calibration, loop_shared, 8, 2us), times(calibration, loop_woken, 2, 100us)};
}

}  // namespace sinter::runtime
