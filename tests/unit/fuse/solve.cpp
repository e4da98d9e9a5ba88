// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search against all clusterings of small random problems. SINTER_RANDOM_COUNT says how many; the long test takes more.
#include "fuse/solve/search.hpp"

#include "definition.hpp"
#include "random_problem.hpp"
#include "random_program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

using namespace sinter::fuse::solve;
using sinter::fuse::test::Definition;
using sinter::fuse::test::from_environment;
using sinter::fuse::test::least_cost;
using sinter::fuse::test::RandomProblem;

namespace {

Labels alone(std::size_t count) {
    Labels labels(count);
    std::iota(labels.begin(), labels.end(), 0);
    return labels;
}

/// Every second term weighs `scale` times as much.
Problem weighted(Problem problem, double scale) {
    for (std::size_t t = 0; t < problem.terms.size(); t += 2) problem.terms[t].weight *= scale;
    return problem;
}

void compare(std::uint64_t first, std::uint64_t count, std::size_t most, double scale = 1) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        RandomProblem random(seed, 2 + seed % (most - 1));
        const Problem p = weighted(random.problem(), scale);
        INFO("seed " << seed << "\n" << random.text());
        Solution s = solve(p, random.allowed(), alone(p.count), Deadline(std::chrono::seconds(60)));
        double best = least_cost(p, random.allowed());
        REQUIRE(s.cost == best);
        REQUIRE(s.lower == best);
        REQUIRE(cost(p, s.labels) == best);
        Allowed allowed = random.allowed();
        REQUIRE(Definition(p, allowed).is_feasible(s.labels));
    }
}

}  // namespace

TEST_CASE("The search finds the best of all clusterings of small problems") { compare(1, 600, 7); }

TEST_CASE("The search finds the best where some arrays are much larger than others") { compare(1, 600, 7, 1000); }

TEST_CASE("The search finds the best of all clusterings of up to nine vertices", "[.][long]") {
    const std::uint64_t seed = from_environment("SINTER_RANDOM_SEED", 1000);
    const std::uint64_t count = from_environment("SINTER_RANDOM_COUNT", 10000);
    compare(seed, count, 9);
    compare(seed, count / 4, 9, 1000);
}

TEST_CASE("At the deadline the search gives what it has, and a bound") {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        RandomProblem random(seed, 60);
        const Problem& p = random.problem();
        Allowed allowed = random.allowed();
        Solution s = solve(p, allowed, alone(p.count), Deadline(std::chrono::duration<double>(0)));
        CHECK(s.cost <= cost(p, alone(p.count)));
        CHECK(s.lower <= s.cost);
        CHECK(s.cost == cost(p, s.labels));
        CHECK(Definition(p, allowed).is_feasible(s.labels));
        Solution longer = solve(p, random.allowed(), alone(p.count), Deadline(std::chrono::milliseconds(20)));
        CHECK(longer.cost >= s.lower);
        CHECK(longer.lower <= s.cost);
        CHECK(Definition(p, allowed).is_feasible(longer.labels));
    }
}

TEST_CASE("A long chain is one cluster, found in linear time") {
    constexpr std::size_t n = 100'000;
    Problem p;
    p.count = n;
    p.launch = 1;
    p.patterns.assign(n, 0);
    p.movable.assign(n, true);
    for (Vertex v = 1; v < n; ++v) {
        p.arcs.emplace_back(v - 1, v);
        p.terms.push_back({Term::Kind::together, false, 1, {v - 1, v}});
        p.terms.push_back({Term::Kind::spread, true, 1, {v - 1, v}});
    }
    Solution s = solve(p, {}, alone(n), Deadline(std::chrono::seconds(60)));
    CHECK(s.cost == 1);
    CHECK(s.lower == 1);
}
