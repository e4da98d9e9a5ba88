// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

/// Traffic of each cluster if every input axis is `n` long.
std::vector<Traffic> traffic_of(const char* text, Strategy strategy, std::int64_t n) {
    ir::Program program = ir::parse(text);
    Extents extents(ir::evaluate(program.sizes, [&](const ir::Size&) { return n; }));
    return traffic(program, program.body, {}, partition_of(program, strategy), extents);
}

const char* const chain = R"(%0 : f32[n0] = input
%1 : f64[n0] = map (%0) {x0: f32 -> x1: f64 = cast x0; x1}
%2 : f64[n0] = map (%1, %1) {x0: f64, x1: f64 -> x2 = mul x0 x1; x2}
return %2)";

}  // namespace

TEST_CASE("Traffic counts what each cluster reads and writes in bytes") {
    auto apart = traffic_of(chain, Strategy::none, 10);
    REQUIRE(apart.size() == 2);
    CHECK(apart[0].read == 40);
    CHECK(apart[0].written == 80);
    CHECK(apart[1].read == 80);
    CHECK(apart[1].written == 80);
    auto fused = traffic_of(chain, Strategy::t2, 10);
    REQUIRE(fused.size() == 1);
    CHECK(fused[0].read == 40);
    CHECK(fused[0].written == 80);
}

TEST_CASE("An array read in two orders counts twice, a broadcast or a slice no more than it touches") {
    auto two = traffic_of(R"(%0 : f32[n0] = input
%1 : f32[n0] = slice [(n0 - 1):-1] %0
%2 : f32[n0] = map (%0, %1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %2)",
                          Strategy::t2, 10);
    CHECK(two[0].read == 80);
    auto row = traffic_of(R"(%0 : f32[n0] = input
%1 : f32[n0, 10] = broadcast [0] %0
%2 : f32[n0, 10] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
return %2)",
                          Strategy::t2, 10);
    CHECK(row[0].read == 40);
    CHECK(row[0].written == 400);
    auto part = traffic_of(R"(%0 : f32[n0] = input
%1 : f32[3] = slice [0:1] %0
%2 : f32[3] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
return %2)",
                           Strategy::t2, 10);
    CHECK(part[0].read == 12);
}

TEST_CASE("In units, arrays count one and scalars nothing") {
    ir::Program program = ir::parse(chain);
    DepGraph graph = dep_graph(program, program.body, {});
    Extents extents = Extents::nominal(program.sizes);
    CHECK(cost(graph, clusters_of(partition_of(program, Strategy::none)), Prices(CostFunction::reads_writes, extents)) == 4);
    CHECK(cost(graph, clusters_of(partition_of(program, Strategy::t2)), Prices(CostFunction::reads_writes, extents)) == 2);
}

TEST_CASE("A launch costs what the target says") {
    ir::Program program = ir::parse(chain);
    DepGraph graph = dep_graph(program, program.body, {});
    for (double launch : {0.0, 1e6}) {
        const Prices prices = Prices::bytes(Extents::nominal(program.sizes, launch));
        CHECK(cost(graph, clusters_of(partition_of(program, Strategy::none)), prices) == 280'000 + 2 * launch);
        CHECK(cost(graph, clusters_of(partition_of(program, Strategy::t2)), prices) == 120'000 + launch);
    }
}
