// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/fix_sizes.hpp"

#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

const std::string head =
    "kernel k\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = (s0 * s1)\nsize s4 = (s1 * s1)\n"
    "buffer 0 : i64[s3] in\nbuffer 1 : i64[s0] out\nspace s0\n";

}  // namespace

TEST_CASE("sizes that are fixed, and what follows from them alone, are constants") {
    const lower::Kernel kernel =
        lower::parse(head +
                     "{x0: i64 -> x1 = size #1; x2 = mul x0 x1; x3: i64 = load #0 x2; x4 = size #3; x5 = size #4; "
                     "x6: i64 = reduce #1 x1 x3 {x6: i64 -> x7 = size #4; x7} {x6: i64, x7: i64 -> x8 = add x6 x7; "
                     "x8}; x7 = add x6 x4; x8 = add x7 x5; store #1 x0 x8;}");
    CHECK(lower::sizes_used(kernel) == std::vector<ir::SizeId>{ir::SizeId(0), ir::SizeId(1)});
    const std::int64_t sizes[] = {1000, 3, 2, 3000, 9};
    CHECK(lower::print(lower::fix_sizes(kernel, {ir::SizeId(1)}, sizes)) ==
          lower::print(lower::parse(
              head + "{x0: i64 -> x1: i64 = constant 3; x2 = mul x0 x1; x3: i64 = load #0 x2; x4 = size #3; "
                     "x5: i64 = constant 9; x6: i64 = reduce #1 x1 x3 {x6: i64 -> x7: i64 = constant 9; x7} "
                     "{x6: i64, x7: i64 -> x8 = add x6 x7; x8}; x7 = add x6 x4; x8 = add x7 x5; store #1 x0 x8;}")));
}
