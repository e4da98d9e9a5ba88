// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of pairs of operations before any cluster is, against what is legal.
#include "fuse/rules/legality.hpp"
#include "fuse/strategy/encode.hpp"
#include "fuse/strategy/optimal.hpp"
#include "ir/text/parse.hpp"
#include "large_program.hpp"
#include "random_program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sinter;
using namespace sinter::fuse;

namespace {

struct Encoded {
    explicit Encoded(const std::string& text)
        : program(ir::parse(text)),
          graph(dep_graph(program, program.body, {})),
          problem(encode(graph, Prices::bytes(Extents::nominal(program.sizes)))) {}

    ir::Program program;
    DepGraph graph;
    solve::Problem problem;
};

bool separates(const solve::Problem& p, solve::Vertex a, solve::Vertex b) {
    return std::count(p.separations.begin(), p.separations.end(), solve::Pair(a, b)) > 0;
}

/// True if no vertex outside has one of `cluster` before it and one after it. Vertices are in an order of execution.
bool is_convex(const solve::Problem& p, const std::vector<solve::Vertex>& cluster) {
    std::vector<bool> inside(p.count), outside(p.count);  // of the cluster; outside and after it
    for (solve::Vertex v : cluster) inside[v] = true;
    auto arcs = p.arcs;
    std::sort(arcs.begin(), arcs.end());
    for (auto [from, to] : arcs) {
        if (outside[from] && inside[to]) return false;
        outside[to] = outside[to] || (!inside[to] && (inside[from] || outside[from]));
    }
    return true;
}

bool meets(const solve::Condition& c, const std::vector<solve::Vertex>& cluster) {
    auto has = [&](solve::Vertex v) { return std::binary_search(cluster.begin(), cluster.end(), v); };
    if (!has(c.pair.first) || !has(c.pair.second)) return true;
    return c.all ? std::all_of(c.others.begin(), c.others.end(), has) : std::any_of(c.others.begin(), c.others.end(), has);
}

}  // namespace

TEST_CASE("A reduction is apart from what reads a map of it in another order") {
    Encoded e(R"(%0 : f32[n0, n1] = input
%1 : f32 = input
%2 : f32[n0] = fold [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%3 : f32[n0] = map (%2) {x0: f32 -> x1 = exp x0; x1}
%4 : f32[n0] = slice [(n0 - 1):-1] %3
%5 : f32[n0] = map (%4) {x0: f32 -> x1 = sqrt x0; x1}
return %5)");
    REQUIRE(e.problem.count == 3);
    CHECK(separates(e.problem, 0, 2));
    CHECK_FALSE(separates(e.problem, 0, 1));
    CHECK_FALSE(separates(e.problem, 1, 2));
}

TEST_CASE("Two operations are apart if no orders of all that is read beside them go together") {
    Encoded e(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = exp x0; x1}
%2 : f32[n0] = slice [(n0 - 1):-1] %1
%3 : f32[n0] = map (%2) {x0: f32 -> x1 = sqrt x0; x1}
%4 : f32[n0] = map (%1, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%5 : f32[n0] = slice [(n0 - 1):-1] %4
%6 : f32[n0] = map (%5) {x0: f32 -> x1 = log x0; x1}
return %6)");
    // The sum may be in either order, and so may the root: one by one, the exponential could be backwards.
    REQUIRE(e.problem.count == 4);
    CHECK(separates(e.problem, 0, 1));
    CHECK_FALSE(separates(e.problem, 1, 2));
    CHECK_FALSE(separates(e.problem, 2, 3));
}

TEST_CASE("A value of a row shares a cluster with the row's elements only beside a reduction of such rows") {
    Encoded e(R"(%0 : f32[n0, n1] = input
%1 : f32[n0] = input
%2 : f32 = input
%3 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x1}
%4 : f32[n0, n1] = broadcast [0] %3
%5 : f32[n0, n1] = map (%0, %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
%6 : f32[n0] = fold [1] (%5) from (%2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %5, %6)");
    REQUIRE(e.problem.count == 3);
    REQUIRE(e.problem.conditions.size() == 1);
    const solve::Condition& c = e.problem.conditions[0];
    CHECK(c.pair == solve::Pair(0, 1));
    CHECK_FALSE(c.all);
    CHECK(c.others == std::vector<solve::Vertex>{2});
}

TEST_CASE("No legal cluster holds a separated pair or breaks a condition") {
    std::size_t held = 0, conditions = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Encoded e(seed % 2 ? test::layered(12, seed) : test::RandomProgram(seed).program(10));
        const std::size_t n = std::min<std::size_t>(e.problem.count, 12);
        conditions += e.problem.conditions.size();
        Legality legality(e.graph);
        for (std::uint32_t set = 1; set < 1u << n; ++set) {
            std::vector<solve::Vertex> cluster;
            std::vector<Operation> operations;
            for (solve::Vertex v = 0; v < n; ++v)
                if (set >> v & 1) cluster.push_back(v), operations.push_back(e.graph.vertices[v]);
            if (!is_convex(e.problem, cluster) || legality.hindrance(operations)) continue;
            for (auto [a, b] : e.problem.separations)
                if (std::binary_search(cluster.begin(), cluster.end(), a) &&
                    std::binary_search(cluster.begin(), cluster.end(), b) && a != b)
                    ++held;
            for (const solve::Condition& c : e.problem.conditions) held += !meets(c, cluster);
        }
    }
    CHECK(held == 0);
    CHECK(conditions > 0);
}
