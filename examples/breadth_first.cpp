// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first search of a random graph.
//
//   breadth_first [nodes]
#include "programs/breadth_first.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t nodes = argc > 1 ? std::atoll(argv[1]) : 100000;
    const Graph g = random_graph(nodes, 6);
    Report report;
    const auto origin = origins(g);
    const auto levels = report.timed("by filter", [&] { return run(breadth_first(g, origin, 0)); });
    const auto masked = report.timed("by mask", [&] { return run(breadth_first_by_mask(g, origin, 0)); });
    const auto listed = report.timed("by frontier", [&] { return run(breadth_first_by_frontier(g, 0)); });
    report.exact("the same", run(all((levels == masked) && (levels == listed))).item(), true);
    const auto reached = levels != far;
    const auto [count_reached, deepest] = run(count(reached), max(select(reached, levels, -1)));
    report.value("nodes reached", count_reached.item());
    report.value("depth", deepest.item());
    return report.status();
}
