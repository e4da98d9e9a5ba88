// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimal strategy against all legal partitions of small random programs, for all cost functions.
#include "fuse/strategy/optimal.hpp"

#include "all_partitions.hpp"
#include "fuse/solve/search.hpp"
#include "fuse/strategy/encode.hpp"
#include "fuse/strategy/strategies.hpp"
#include "large_program.hpp"
#include "random_program.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <numeric>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

constexpr CostFunction functions[] = {CostFunction::bytes,  CostFunction::clusters, CostFunction::edges,
                                      CostFunction::arrays, CostFunction::reads,    CostFunction::reads_writes};

struct Tally {
    std::size_t programs = 0, proven = 0;
};

void compare(std::uint64_t seed, std::size_t operations, Tally& tally) {
    std::string text = RandomProgram(seed).program(operations);
    ir::Program program = ir::parse(text);
    DepGraph graph = dep_graph(program, program.body, {});
    if (graph.vertices.size() > 9) return;
    std::vector<Prices> prices;
    for (CostFunction function : functions) prices.emplace_back(function, Extents::nominal(program.sizes));
    const std::vector<double> least = least_costs(graph, prices);
    for (std::size_t k = 0; k < prices.size(); ++k) {
        INFO("seed " << seed << ", cost function " << k << "\n" << text);
        Optimum found = optimal(graph, prices[k], std::chrono::seconds(60));
        REQUIRE(found.cost == cost(graph, found.clusters, prices[k]));
        REQUIRE(found.cost == least[k]);
        REQUIRE(found.lower <= least[k]);
        ++tally.programs;
        tally.proven += found.lower == found.cost;
    }
}

}  // namespace

TEST_CASE("Optimal is the best of all legal partitions of small programs") {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) compare(seed, 3 + seed % 6, tally);
    CHECK(tally.proven == tally.programs);
}

TEST_CASE("Optimal is the best of all legal partitions of more programs", "[.][long]") {
    Tally tally;
    for (std::uint64_t seed = 1000; seed < 4000; ++seed) compare(seed, 4 + seed % 8, tally);
    CHECK(tally.proven == tally.programs);
}

TEST_CASE("With any deadline, optimal is never worse than the heuristics it starts from") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO("seed " << seed);
        ir::Program program = ir::parse(RandomProgram(seed).program(20 + 8 * seed));
        DepGraph graph = dep_graph(program, program.body, {});
        Prices prices = Prices::bytes(Extents::nominal(program.sizes));
        double known = cost(graph, t2(graph), prices);
        for (double seconds : {0.0, 0.001, 0.02}) {
            Optimum found = optimal(graph, prices, std::chrono::duration<double>(seconds));
            CHECK(found.cost <= known);
            CHECK(found.lower <= found.cost);
        }
    }
}

TEST_CASE("Programs like real ones are proven optimal in milliseconds") {
    for (const std::string& text : {softmaxes(4), softmaxes(16), conjugate_gradients(5), conjugate_gradients(20)}) {
        ir::Program program = ir::parse(text);
        DepGraph graph = dep_graph(program, program.body, {});
        Prices prices = Prices::bytes(Extents::nominal(program.sizes));
        auto start = std::chrono::steady_clock::now();
        Optimum found = optimal(graph, prices, std::chrono::seconds(10));
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        CHECK(found.lower == found.cost);
        CHECK(seconds.count() < 0.5);  // generous: also holds unoptimised and instrumented
    }
}

TEST_CASE("A very long program takes the heuristic's time") {
    ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
return %1)");
    constexpr std::size_t n = 50'000;
    for (std::size_t k = 1; k < n; ++k) {
        program.body.bindings.push_back(program.body.bindings[0]);
        std::get<ir::Map>(program.body.bindings[k].op).args = {ir::ValueId(k)};
    }
    program.body.results = {ir::ValueId(n)};
    DepGraph graph = dep_graph(program, program.body, {});
    Prices prices = Prices::bytes(Extents::nominal(program.sizes));
    auto start = std::chrono::steady_clock::now();
    Optimum found = optimal(graph, prices);
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CHECK(found.clusters.size() == 1);
    CHECK(found.lower > 0);
    CHECK(found.lower <= found.cost);
    CHECK(seconds.count() < 2);
}

TEST_CASE("Mazes are proven optimal") {
    using Maze = std::pair<int, std::uint64_t>;
    std::vector<Maze> mazes;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        for (int operations : {20, 40, 60}) mazes.emplace_back(operations, seed);
    for (auto [operations, seed] : mazes) {
        INFO(operations << " operations, seed " << seed);
        ir::Program program = ir::parse(layered(operations, seed));
        DepGraph graph = dep_graph(program, program.body, {});
        Prices prices = Prices::bytes(Extents::nominal(program.sizes));
        Optimum found = optimal(graph, prices, std::chrono::seconds(20));
        CHECK(found.lower == found.cost);
        CHECK(found.cost <= cost(graph, t2(graph), prices));
    }
}

TEST_CASE("Mazes take few nodes of the search") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        INFO("seed " << seed);
        ir::Program program = ir::parse(layered(60, seed));
        DepGraph graph = dep_graph(program, program.body, {});
        const solve::Problem problem = encode(graph, Prices::bytes(Extents::nominal(program.sizes)));
        solve::Labels alone(problem.count);
        std::iota(alone.begin(), alone.end(), 0);
        const auto found = solve::solve(problem, {}, alone, solve::Deadline(std::chrono::seconds(20)));
        CHECK(found.lower == found.cost);
        CHECK(found.nodes < 100);
    }
}

TEST_CASE("Mazes of three hundred operations end in time and are better than T2") {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        ir::Program program = ir::parse(layered(300, seed));
        ir::verify(program);
        DepGraph graph = dep_graph(program, program.body, {});
        Prices prices = Prices::bytes(Extents::nominal(program.sizes));
        Optimum found = optimal(graph, prices, std::chrono::milliseconds(300));
        CHECK(found.cost < cost(graph, t2(graph), prices));
        CHECK(found.lower > found.cost / 2);
    }
}

namespace {

/// %5 shares a read of %1 with %3, or one of %2 with %4, which needs all of %3.
const char* const contested = R"(%0 : f32[n0] = input
%1 : f32[n1] = input
%2 : f32[n2] = input
%3 : f32[n0] = map (%0; ; %1) {@0: f32^1, x0: f32 -> x1: i64 = cast x0; x2: f32 = read @0 x1; x2}
%4 : f32[n0] = map (%0; ; %2, %3) {@0: f32^1, @1: f32^1, x0: f32 -> x1: i64 = cast x0; x2: f32 = read @0 x1; x3: f32 = read @1 x1; x4 = add x2 x3; x4}
%5 : f32[n0] = map (%0; ; %1, %2) {@0: f32^1, @1: f32^1, x0: f32 -> x1: i64 = cast x0; x2: f32 = read @0 x1; x3: f32 = read @1 x1; x4 = add x2 x3; x4}
return %4, %5)";

/// The contested program's partition if its inputs are so long.
std::string clusters_for(std::array<std::int64_t, 3> extents) {
    ir::Program program = ir::parse(contested);
    auto sizes = ir::evaluate(program.sizes, [&](const ir::Size& s) { return extents[static_cast<std::size_t>(s.index)]; });
    Partition result = partition(program, program.body, {}, Strategy::optimal, sizes);
    CHECK(result.depends_on_extents);
    return text(program, result);
}

}  // namespace

TEST_CASE("The extents of a call decide between partitions") {
    CHECK(clusters_for({1000, 1'000'000, 1000}) == "{%3 %5} {%4} manifest %3 %4 %5");
    CHECK(clusters_for({1000, 1000, 1'000'000}) == "{%3} {%4 %5} manifest %3 %4 %5");
}

TEST_CASE("Where everything that can be fused is, extents do not matter") {
    ir::Program program = ir::parse(softmaxes(1));
    CHECK_FALSE(partition_of(program, Strategy::optimal).depends_on_extents);
    CHECK_FALSE(partition_of(program, Strategy::t2).depends_on_extents);
}
