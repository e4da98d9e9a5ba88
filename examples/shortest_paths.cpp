// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All shortest paths of a graph, three ways.
//
//   shortest_paths [nodes]
#include "programs/shortest_paths.hpp"
#include "programs/progress_bar.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 512;
    const Array<std::int32_t, 2> weights = sparse_graph(n);
    Report report;
    const auto show = [&](const char* name, const Delayed<std::int32_t, 2>& program) {
        const Array<std::int32_t, 2> paths = report.timed(name, [&] { return run(program, {.progress = ProgressBar()}); });
        const std::uint64_t sum = run(checksum(paths)).item();
        if (n == 64) report.exact(name, sum, 20989434381u);
        if (n == 512) report.exact(name, sum, 14471913322766u);
    };
    show("squaring", shortest_paths<std::int32_t>(weights, rounds_for(n)));
    show("until stable", shortest_paths_until_stable<std::int32_t>(weights));
    show("Floyd-Warshall", floyd_warshall<std::int32_t>(weights, n));
    return report.status();
}
