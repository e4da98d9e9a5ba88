// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse;

namespace {

/// The verifier's message for clusters of operations (positions of bindings) of `text`; "" if it accepts them.
std::string verdict(const char* text, std::initializer_list<std::initializer_list<std::size_t>> clusters,
                    std::initializer_list<std::size_t> manifest) {
    ir::Program program = ir::parse(text);
    ir::verify(program);
    Partition p;
    for (auto& cluster : clusters) {
        p.clusters.emplace_back();
        for (std::size_t op : cluster) p.clusters.back().operations.emplace_back(op);
    }
    for (std::size_t id : manifest) p.manifest.emplace_back(id);
    try {
        verify(program, program.body, {}, p);
    } catch (const InternalError& error) {
        return error.what();
    }
    return "";
}

using Catch::Contains;

const char* const chain = R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x1}
return %2)";

const char* const rows = R"(%0 : f32[n0, n0.1] = input
%1 : f32 = input
%2 : f32[n0] = fold [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = maximum x0 x1; x2}
%3 : f32[n0, n0.1] = broadcast [0] %2
%4 : f32[n0, n0.1] = map (%0, %3) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
%5 : f32[n0] = fold [1] (%4) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%6 : f32[n0.1] = fold [0] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %5, %6)";

}  // namespace

TEST_CASE("The verifier accepts legal partitions") {
    CHECK(verdict(chain, {{0, 1}}, {2}) == "");
    CHECK(verdict(chain, {{0}, {1}}, {1, 2}) == "");
    CHECK(verdict(rows, {{0}, {2, 3}, {4}}, {2, 5, 6}) == "");
}

TEST_CASE("Rule COVER") {
    CHECK_THAT(verdict(chain, {{1}, {0}}, {1, 2}), Contains("COVER") && Contains("map %2") && Contains("map %1"));
    CHECK_THAT(verdict(chain, {{0}, {1}}, {2}), Contains("COVER"));
    CHECK_THAT(verdict(chain, {{0}, {0, 1}}, {1, 2}), Contains("COVER") && Contains("in two clusters"));
    CHECK_THAT(verdict(chain, {{0, 1}}, {}), Contains("COVER"));
    CHECK_THAT(verdict(chain, {{1}}, {2}), Contains("COVER"));
    CHECK_THAT(verdict(chain, {{0, 1}}, {2, 1}), Contains("COVER"));
}

TEST_CASE("Rule BARRIER") {
    CHECK_THAT(verdict(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = force (%1)
return %2)",
                       {{0, 1}}, {1, 2}),
               Contains("BARRIER") && Contains("force %2"));
}

TEST_CASE("Rules VERTICAL and DIAGONAL") {
    const char* two_orders = R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = slice [(n0 - 1):-1] %1
%3 : f32[n0] = map (%1, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %3)";
    CHECK_THAT(verdict(two_orders, {{0, 2}}, {3}), Contains("VERTICAL") && Contains("map %3") && Contains("map %1"));
    CHECK_THAT(verdict(two_orders, {{0, 2}}, {1, 3}), Contains("DIAGONAL"));
    CHECK_THAT(verdict(R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0.1] = input
%2 : f32[n0.1] = map (%1) {x0: f32 -> x1 = exp x0; x1}
%3 : f32[n0, n0.1] = broadcast [1] %2
%4 : f32[n0, n0.1] = map (%0, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %4)",
                       {{0, 2}}, {4}),
               Contains("repeatedly"));
    CHECK_THAT(verdict(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = map (%0; ; %1) {@0: f32^1, x0: f32 -> x1: i64 = constant 0; x2: f32 = read @0 x1; x2}
return %2)",
                       {{0, 1}}, {1, 2}),
               Contains("in no order"));
}

TEST_CASE("Rule ORDER") {
    const char* gathered = R"(%0 : i64[n0] = input
%1 : f32[n0] = input
%2 : f32[n0] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
%3 : f32[n0] = gather (%0) (%2)
return %2, %3)";
    CHECK_THAT(verdict(gathered, {{0, 1}}, {2, 3}), Contains("ORDER") && Contains("map %2"));
}

TEST_CASE("Rule SPACE") {
    CHECK_THAT(verdict(R"(arguments 2
%0 : f32[n0] = input
%1 : f32[a0] = slice [0:1] %0
%2 : f32[a0] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
%3 : f32[a1] = slice [0:1] %0
%4 : f32[a1] = map (%3) {x0: f32 -> x1 = exp x0; x1}
return %2, %4)",
                       {{1, 3}}, {2, 4}),
               Contains("SPACE"));
}

TEST_CASE("Rule CLOSED") {
    CHECK(verdict(rows, {{0, 2, 3}, {4}}, {2, 5, 6}) == "");  // a pass for the fold, one for its row
    CHECK_THAT(verdict(R"(arguments 1
%0 : f32[a0, a0] = input
%1 : f32 = input
%2 : f32[a0] = fold [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%3 : f32[a0, a0] = broadcast [1] %2
%4 : f32[a0, a0] = map (%0, %3) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
return %4)",
                       {{0, 2}}, {4}),
               Contains("CLOSED"));
    CHECK_THAT(verdict(rows, {{0, 4}, {2, 3}}, {2, 5, 6}), Contains("CLOSED"));
    CHECK_THAT(verdict(R"(%0 : f32[n0, n0.1] = input
%1 : f32 = input
%2 : f32[n0] = fold [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = maximum x0 x1; x2}
%3 : f32 = fold [0] (%2) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %3)",
                       {{0, 1}}, {3}),
               Contains("CLOSED"));
    CHECK_THAT(verdict(R"(%0 : i64[n0] = input
%1 : f32[n1, n1.1] = input
%2 : f32 = input
%3 : f32[n1] = fold [1] (%1) from (%2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%4 : f32[n0] = gather (%0) (%3)
return %4)",
                       {{0, 1}}, {4}),
               Contains("CLOSED"));
}

TEST_CASE("Rule CONNECTED") {
    CHECK_THAT(verdict(R"(%0 : f32[n0] = input
%1 : f32[n0] = input
%2 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%3 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x1}
return %2, %3)",
                       {{0, 1}}, {2, 3}),
               Contains("CONNECTED"));
}
