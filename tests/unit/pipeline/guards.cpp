// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only a guard mentions is computed, and found again after variables have been renumbered.
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "pipeline/pipeline.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

TEST_CASE("guards keep the values they mention", "[guards]") {
    ir::Program program = ir::parse(R"(
guard %3 = n0 "total"
%0 : i64[n0] = input
%1 : i64 = generate () {-> x0: i64 = constant 7; x0}
%2 : i64 = generate () {-> x0: i64 = constant 0; x0}
%3 : i64 = fold [0] (%0) from (%2) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
%4 : i64[n0] = map (%0; %1) {x0: i64, x1: i64 -> x2 = mul x0 x0; x2}
return %4
)");
    program = pipeline::optimise(std::move(program));
    ir::verify(program);
    REQUIRE(program.body.guards.size() == 1);
    const ir::Size& left = program.sizes[program.body.guards[0].left];
    REQUIRE(left.kind == ir::Size::Kind::value);
    std::size_t level = program.body.params.size();
    bool found = false;
    for (const ir::Binding& binding : program.body.bindings) {
        if (level == static_cast<std::size_t>(left.index)) found = std::holds_alternative<ir::Fold>(binding.op);
        level += binding.types.size();
    }
    REQUIRE(found);
}
