// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs would send on up to 65,536 ranks, counted by explain_ranks, and how long a step would take at least in a
// model of a machine (LogGP: Alexandrov and others, "LogGP: Incorporating long messages into the LogP model", 1995). Nothing
// is measured: a projection knows no noise and no congestion.
//
//   sinter_ranks_project
#include "programs/kmeans.hpp"

#include <sinter/ranks.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

using namespace sinter;

namespace {

using Long = std::int64_t;

/// One rank a node.
constexpr double latency = 1.3e-6, overhead = 0.4e-6, network = 25e9, memory = 200e9;

/// A step of a program, as the busiest rank makes it.
struct Step {
    double bytes;  ///< of memory traffic, if all ranks have the same
    Long parts;    ///< the most ranks that have any: folds and updates are cut into so many chunks
    int meetings;  ///< each in log2(ranks) rounds of messages
    int rounds;    ///< of messages besides
};

void report(const char* name, Long ranks, const RankExplanation& all, Long steps, const Step& step) {
    const double most = double(*std::max_element(all.received.begin(), all.received.end())) / double(steps);
    Long sum = 0;
    for (Long each : all.received) sum += each;
    const double round = latency + 2 * overhead, ideal = step.bytes / memory;
    const double compute = ideal * std::max(1.0, double(ranks) / double(step.parts));
    const double messages = (step.meetings * std::ceil(std::log2(double(ranks))) + step.rounds) * round + most / network;
    std::printf(
        "%-8s %6ld ranks: %12.0f bytes a step for the busiest, %15.0f for all, at least %15.0f; step %8.1f us, efficiency "
        "%.3f (projected)\n",
        name, long(ranks), most, double(sum) / double(steps), double(all.at_least) / double(steps),
        (compute + messages) * 1e6, ideal / (compute + messages));
    std::fflush(stdout);
}

/// 64 MiB a rank.
void heat(Long ranks) {
    constexpr Long rows = 4096, columns = 4096, steps = 100;
    auto five = [](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); };
    const auto begin = generate(shape(rows * ranks, columns), [](auto i, auto) { return select(i < 8, 100.f, 20.f); });
    const auto end = for_loop(steps, [=](auto, Delayed<float, 2> u) { return stencil(five, boundary::clamp, u); }, begin);
    report("heat", ranks, explain_ranks(end, int(ranks)), steps, {2.0 * rows * columns * 4, rows * ranks, 1, 1});
}

/// 2^24 paths a rank; as many bytes as their arithmetic takes, 20 ns a path and thread on 64 threads.
void option(Long ranks) {
    constexpr Long paths = 1 << 24;
    auto payoff = [](auto i) { return max(100.f * exp(cast<float>(i % 1009) * 1e-3f) - 105.f, 0.f); };
    const auto mean = sum(generate(shape(paths * ranks), payoff));
    report("option", ranks, explain_ranks(mean, int(ranks)), 1,
           {double(paths) * 20e-9 / 64 * memory, 4096, 1, int(std::ceil(std::log2(double(ranks))))});
}

/// 2^22 points a rank, 8 clusters.
void kmeans(Long ranks) {
    constexpr Long points = 1 << 22;
    const auto all = generate(shape(points * ranks), [](auto i) {
        return std::tuple(cast<float>(i % 1009) * 1e-3f, cast<float>(i % 2003) * 1e-3f);
    });
    const auto centres = generate(shape(8), [](auto i) { return std::tuple(cast<float>(i), cast<float>(i) * 0.5f); });
    const auto moved = std::get<0>(unzip(programs::recentre(8, centres, all)));
    const int rounds = int(std::ceil(std::log2(double(ranks))));
    report("kmeans", ranks, explain_ranks(moved, int(ranks)), 1, {double(points) * 8, 64, 2, rounds});
}

}  // namespace

int main() {
    for (Long ranks : {Long{2}, Long{64}, Long{1024}, Long{4096}, Long{16384}, Long{65536}}) heat(ranks);
    for (Long ranks : {Long{2}, Long{64}, Long{1024}, Long{4096}, Long{16384}, Long{65536}}) option(ranks);
    for (Long ranks : {Long{2}, Long{64}, Long{1024}, Long{4096}}) kmeans(ranks);
}
