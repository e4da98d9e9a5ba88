// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks know of launches before they share them.
#include "lower/text/parse.hpp"
#include "run/ranks/ahead/describe.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace sinter;

TEST_CASE("a launch has points if all extents are above 0", "[ranks]") {
    const lower::Kernel rows = lower::parse(R"(kernel map
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
buffer 0 : f32[s2] in
buffer 1 : f32[s2] out
space s0 s1
{x0: i64, x1: i64 ->
  x2 = size #1;
  x3 = mul x0 x2;
  x4 = add x3 x1;
  x5: f32 = load #0 x4;
  store #1 x4 x5;
}
)");
    auto of = [&](std::int64_t a, std::int64_t b) {
        const std::array<std::int64_t, 3> sizes{a, b, a * b};
        return runtime::has_points(rows, sizes.data());
    };
    CHECK(of(1, 1));
    CHECK(of(7, 3));
    CHECK_FALSE(of(0, 3));
    CHECK_FALSE(of(3, 0));
    CHECK_FALSE(of(-2, 3));  // of a slice that has become shorter than its offset
    CHECK_FALSE(of(-2, -3));

    const lower::Kernel number = lower::parse(R"(kernel map
size s0 = 1
buffer 0 : f32[s0] out
space
{ ->
  x0: i64 = constant 0;
  x1: f32 = constant 1;
  store #0 x0 x1;
}
)");
    const std::array<std::int64_t, 1> one{1};
    CHECK(runtime::has_points(number, one.data()));
}
