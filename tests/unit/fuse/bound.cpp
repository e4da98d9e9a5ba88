// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds, against all clusterings of small random problems.
#include "fuse/solve/bound/bound.hpp"

#include "definition.hpp"
#include "fuse/solve/bound/launches.hpp"
#include "fuse/solve/bound/relax.hpp"
#include "random_problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>

using namespace sinter::fuse::solve;
using namespace sinter::fuse::test;

TEST_CASE("No feasible clustering costs less than the bound, and most bounds are met") {
    std::size_t feasible = 0, met = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        RandomProblem random(seed, 3 + seed % 5);
        INFO("seed " << seed << "\n" << random.text());
        Node node{random.problem(), {}};
        for (Vertex v = 0; v < node.problem.count; ++v) node.members.push_back({v});
        separate_patterns(node.problem);
        const Relations relations = relate(node.problem);
        settle(node, relations);
        const Problem relaxed = with_launches_as_terms(relax(node.problem, relations));
        const double lower = bound(relaxed, relations, Deadline(std::chrono::seconds(60))).lower;
        double least = std::numeric_limits<double>::infinity();
        for_each_feasible(random.problem(), random.allowed(), [&](const Labels& labels) {
            const double c = cost(random.problem(), labels);
            REQUIRE(lower <= c);
            least = std::min(least, c);
        });
        if (least == std::numeric_limits<double>::infinity()) continue;
        ++feasible;
        met += lower > least - 1e-9;
    }
    INFO(met << " of " << feasible);
    CHECK(2 * met > feasible);
}
