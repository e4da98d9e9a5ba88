// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a bound says of terms, against all clusterings of small random problems.
#include "definition.hpp"
#include "fuse/solve/bound.hpp"
#include "fuse/solve/launches.hpp"
#include "fuse/solve/relax.hpp"
#include "random_problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace sinter::fuse::solve;
using namespace sinter::fuse::test;

namespace {

Node whole(const Problem& problem) {
    Node node{problem, {}};
    for (Vertex v = 0; v < problem.count; ++v) node.members.push_back({v});
    node.name_terms();
    return node;
}

/// How often a clustering pays for a term beyond what any does.
std::size_t paid(const Term& term, const Labels& labels, std::size_t clusters) {
    std::set<Vertex> held_by;
    for (Vertex v : term.members) held_by.insert(labels[v]);
    if (term.kind == Term::Kind::together) return held_by.size() > 1 ? 1 : 0;
    return held_by.size() - std::min(held_by.size(), clusters);
}

}  // namespace

TEST_CASE("Every clustering pays for the cores of a bound, and costs no less than it") {
    std::size_t cores = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        RandomProblem random(seed, 3 + seed % 5);
        INFO("seed " << seed << "\n" << random.text());
        Node node = whole(random.problem());
        separate_patterns(node.problem);
        const Relations relations = relate(node.problem);
        settle(node, relations);
        node.name_terms();
        const Problem relaxed = with_launches_as_terms(relax(node.problem, relations));
        const Bound b =
            bound(relaxed, relations, node, Deadline(std::chrono::seconds(60)), std::numeric_limits<double>::infinity());
        for_each_feasible(random.problem(), random.allowed(), [&](const Labels& labels) {
            REQUIRE(b.lower <= cost(random.problem(), labels));
            for (const Core& core : b.cores ? b.cores->cores : std::vector<Core>()) {
                std::size_t sum = 0;
                for (std::uint32_t t : core.terms) sum += paid(relaxed.terms[t], labels, b.cores->clusters[t]);
                REQUIRE(sum >= core.demand);
            }
        });
        if (b.cores) cores += b.cores->cores.size();
    }
    CHECK(cores > 400);
}

namespace {

/// Six more vertices in three pairs, each held by a term; where two pairs are together, there is a circle that holds
/// vertices that are apart.
void add_triangle(Problem& p, double weight) {
    const auto first = static_cast<Vertex>(p.count);
    p.count += 6;
    p.patterns.resize(p.count, 0);
    p.movable.resize(p.count, true);
    for (Vertex v = first; v < first + 3; ++v) {
        p.terms.push_back({Term::Kind::together, true, weight, {v, v + 3}});
        p.arcs.emplace_back(v, v + 3);
        for (Vertex other = first; other < first + 3; ++other) {
            if (other == v) continue;
            p.arcs.emplace_back(v, other + 3);
            p.separations.emplace_back(v, other + 3);
        }
    }
}

Bound bound_of(const Problem& p) { return bound(p, relate(p), whole(p), Deadline(std::chrono::seconds(60)), 1e9); }

}  // namespace

TEST_CASE("What a bound pays for terms of one weight is rounded up to whole times") {
    Problem p;
    add_triangle(p, 10);
    CHECK(bound_of(p).lower == 20);  // one and a half times without
}

TEST_CASE("What was rounded up for all terms of a weight is not known of parts") {
    Problem p;
    for (int k = 0; k < 3; ++k) add_triangle(p, 1000);
    add_triangle(p, 1);  // makes another round, of light terms
    const Bound b = bound_of(p);
    CHECK(b.lower >= 5000);  // four and a half times without
    REQUIRE(b.cores);
    for (const Core& core : b.cores->cores) {
        const auto triangle = [](std::uint32_t term) { return term / 3; };
        CHECK(triangle(core.terms.front()) == triangle(core.terms.back()));
    }
}
