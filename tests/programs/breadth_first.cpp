// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/breadth_first.hpp>

#include <deque>

using namespace programs;
using conform::everywhere;

namespace {

std::vector<std::int32_t> with_a_queue(const Graph& g, std::int64_t source) {
    std::vector<std::int32_t> levels(static_cast<std::size_t>(g.nodes), far);
    levels[static_cast<std::size_t>(source)] = 0;
    for (std::deque<std::int64_t> queue{source}; !queue.empty(); queue.pop_front()) {
        const std::int64_t node = queue.front();
        for (std::int64_t j = 0; j < g.degree(node); ++j) {
            const std::int64_t there = g.target(g.first(node) + j);
            if (levels[static_cast<std::size_t>(there)] != far) continue;
            levels[static_cast<std::size_t>(there)] = levels[static_cast<std::size_t>(node)] + 1;
            queue.push_back(there);
        }
    }
    return levels;
}

}  // namespace

TEST_CASE("breadth-first search") {
    for (const std::int64_t nodes : {1, 2, 10, 1000, 20000}) {
        CAPTURE(nodes);
        const Graph g = random_graph(nodes, 4);
        const auto expected = with_a_queue(g, nodes / 2);
        const auto origin = origins(g);
        conform::require_same(expected, everywhere(breadth_first(g, origin, nodes / 2)).to_vector());
        conform::require_same(expected, everywhere(breadth_first_by_mask(g, origin, nodes / 2)).to_vector());
        conform::require_same(expected, everywhere(breadth_first_by_frontier(g, nodes / 2)).to_vector());
    }
}

TEST_CASE("breadth-first search of a path") {
    constexpr std::int64_t n = 100;
    const Graph path{n, run(iota(n)),
                     run(map([=](Exp<std::int64_t> i) { return select(i == n - 1, Exp<std::int64_t>(0), 1); }, iota(n))),
                     run(iota(n - 1) + 1)};
    const auto levels = everywhere(breadth_first(path, origins(path), 3));
    for (std::int64_t i = 0; i < n; ++i) CHECK(levels(i) == (i < 3 ? far : i - 3));
    conform::require_same(levels.to_vector(), everywhere(breadth_first_by_frontier(path, 3)).to_vector());
}
