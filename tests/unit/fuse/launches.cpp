// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/bound/launches.hpp"

#include "definition.hpp"
#include "fuse/solve/bound/blocks.hpp"
#include "random_problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sinter::fuse::solve;
using namespace sinter::fuse::test;

namespace {

std::vector<std::vector<Pair>> sorted(Blocks blocks) {
    for (auto& block : blocks.lines) std::sort(block.begin(), block.end());
    std::sort(blocks.lines.begin(), blocks.lines.end());
    return std::move(blocks.lines);
}

Problem of_terms(std::size_t count, std::vector<Term> terms) {
    Problem p;
    p.count = count;
    p.patterns.assign(count, 0);
    p.movable.assign(count, true);
    p.launch = 5;
    p.terms = std::move(terms);
    return p;
}

Term array(std::vector<Vertex> members) { return {Term::Kind::spread, true, 1, std::move(members)}; }

}  // namespace

TEST_CASE("Blocks are circles and lines on none") {
    const std::vector<Pair> lines{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}, {6, 7}};
    const Blocks all = blocks(9, lines);
    CHECK(all.pieces == 3);
    CHECK(sorted(all) ==
          std::vector<std::vector<Pair>>{{{0, 1}, {0, 2}, {1, 2}}, {{2, 3}}, {{3, 4}, {3, 5}, {4, 5}}, {{6, 7}}});
}

TEST_CASE("A line of a hundred thousand points has as many blocks") {
    std::vector<Pair> lines;
    for (Vertex v = 1; v < 100'000; ++v) lines.emplace_back(v - 1, v);
    CHECK(blocks(100'000, lines).lines.size() == lines.size());
}

TEST_CASE("An array that alone holds clusters together is paid for with a launch") {
    const Problem p = with_launches_as_terms(of_terms(5, {array({0, 1, 2}), array({2, 3})}));
    CHECK(p.launch == 0);
    CHECK(p.constant == 10);  // vertex 4 is on its own
    REQUIRE(p.terms.size() == 2);
    CHECK(p.terms[0].weight == 6);
    CHECK(p.terms[1].weight == 6);
}

TEST_CASE("Launches of arrays on a circle are a term of their vertices") {
    const Problem p = with_launches_as_terms(of_terms(4, {array({0, 1}), array({1, 2}), array({0, 2}), array({2, 3})}));
    REQUIRE(p.terms.size() == 5);
    CHECK(p.terms[0].weight == 1);
    CHECK(p.terms[3].weight == 6);
    CHECK(p.terms[4].weight == 5);
    CHECK(p.terms[4].members == std::vector<Vertex>{0, 1, 2});
    CHECK_FALSE(p.terms[4].connects);
}

TEST_CASE("Launches cost as terms what they cost as launches") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        RandomProblem random(seed, 2 + seed % 6);
        INFO("seed " << seed << "\n" << random.text());
        const Problem terms = with_launches_as_terms(random.problem());
        for_each_feasible(random.problem(), random.allowed(),
                          [&](const Labels& labels) { REQUIRE(cost(terms, labels) == cost(random.problem(), labels)); });
    }
}
