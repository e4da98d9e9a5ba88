// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/print.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

Extracted extracted(const char* text, std::size_t cluster) {
    ir::Program program = ir::parse(text);
    ir::verify(program);
    Partition p = partition_of(program, Strategy::t2);
    REQUIRE(cluster < p.clusters.size());
    Extracted result = extract(program, program.body, {}, p.clusters[cluster], p.manifest);
    ir::verify(result.program);
    return result;
}

std::vector<ir::ValueId> values(std::initializer_list<std::size_t> ids) {
    std::vector<ir::ValueId> result;
    for (std::size_t id : ids) result.emplace_back(id);
    return result;
}

}  // namespace

TEST_CASE("A cluster is extracted with symbols as size arguments and transparent operations copied in") {
    Extracted e = extracted(R"(arguments 1
%0 : f32 = input
%1 : f32[n1, a0] = input
%2 : f32[n1, a0] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
%3 : f32[a0, n1] = transpose [1, 0] %2
%4 : f32 = map (%0) {x0: f32 -> x1 = negate x0; x1}
%5 : f32[a0, n1] = map (%3; %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
return %5)",
                            0);
    CHECK(ir::print(e.program) == R"(arguments 2
%0 : f32[a0, a1] = input
%1 : f32 = input
%2 : f32[a0, a1] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%3 : f32[a1, a0] = transpose [1, 0] %2
%4 : f32 = map (%1) {x0: f32 -> x1 = negate x0; x1}
%5 : f32[a1, a0] = map (%3; %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
return %5
)");
    CHECK(e.inputs == values({1, 0}));
    CHECK(e.outputs == values({5}));
    CHECK(e.sizes.size() == 2);
}

TEST_CASE("Relations between sizes survive extraction") {
    Extracted e = extracted(R"(%0 : f32[n0, n0.1] = input
%1 : f32[(n0 * n0.1)] = reshape %0
%2 : f32[((n0 * n0.1) - 1)] = slice [1:1] %1
%3 : f32[((n0 * n0.1) - 1)] = map (%2) {x0: f32 -> x1 = sqrt x0; x1}
return %3)",
                            0);
    CHECK(ir::print(e.program) == R"(arguments 2
size s0 = ((a0 * a1) - 1)
%0 : f32[a0, a1] = input
%1 : f32[(a0 * a1)] = reshape %0
%2 : f32[s0] = slice [1:1] %1
%3 : f32[s0] = map (%2) {x0: f32 -> x1 = sqrt x0; x1}
return %3
)");
}

TEST_CASE("Equal clusters of different programs are equal programs") {
    Extracted a = extracted(R"(%0 : f32[n0] = input
%1 : f32[n0] = input
%2 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%3 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x1}
%4 : f32[n0] = map (%2, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %4)",
                            0);
    Extracted b = extracted(R"(%0 : bool = input
%1 : f32[n1] = input
%2 : f32[n1] = force (%1)
%3 : f32[n1] = map (%2) {x0: f32 -> x1 = exp x0; x1}
%4 : f32[n1] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
%5 : f32[n1] = map (%4, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %5)",
                            1);
    CHECK(ir::print(a.program) == ir::print(b.program));
    CHECK(b.inputs == values({1, 2}));
}

TEST_CASE("Results are in the order of the enclosing program, unused ones are not results") {
    Extracted e = extracted(R"(%0 : f32[n0] = input
%1 : f32[n0], %2 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x2 = exp x0; x1, x2}
%3 : f32[n0] = map (%1) {x0: f32 -> x1 = negate x0; x1}
return %3, %2)",
                            0);
    CHECK(e.outputs == values({2, 3}));
    CHECK(e.program.body.results == values({2, 3}));
    CHECK(e.program.body.params.size() == 1);
}

TEST_CASE("Bodies of loops are partitioned and extracted with variables of enclosing bodies as inputs") {
    ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : i64 = input
%2 : f32[n0] = for %1 (%0) {
  %2 : i64 = param
  %3 : f32[n0] = param
  %4 : f32[n0] = map (%3) {x0: f32 -> x1 = sqrt x0; x1}
  %5 : f32[n0] = map (%4, %0) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %5
}
return %2)");
    ir::verify(program);
    const ir::Body& body = std::get<ir::Loop>(program.body.bindings[0].op).bodies[0];
    std::vector<ir::Type> outer = program.body.params;
    Partition p = partition(program, body, outer, Strategy::t2);
    verify(program, body, outer, p);
    REQUIRE(p.clusters.size() == 1);
    CHECK(p.manifest == values({5}));
    Extracted e = extract(program, body, outer, p.clusters[0], p.manifest);
    ir::verify(e.program);
    CHECK(e.inputs == values({3, 0}));
    CHECK(e.outputs == values({5}));
}
