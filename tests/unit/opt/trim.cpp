// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/trim.hpp"

#include "ir/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

TEST_CASE("used: what the body of a loop with several results needs, whichever of them is used") {
    ir::Fn fn = ir::parse_fn(R"({x0: f32, x1: f32, x2: i32, x3: f32 ->
  x4: f32, x5: i32 = while_loop x1 x2 {x4: f32, x5: i32 -> x6 = less x4 x3; x6} {x4: f32, x5: i32 -> x6 = mul x4 x4; x7 = add x6 x0; x8: i32 = constant 1; x9 = add x5 x8; x7, x9};
  x4, x5
})");
    for (std::vector<bool> results : {std::vector<bool>{false, true}, {true, false}, {true, true}})
        CHECK(opt::used(fn, results).params == std::vector<bool>(4, true));
}
