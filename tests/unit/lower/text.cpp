// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

TEST_CASE("kernels are read back") {
    const char* text = R"(kernel everything
size s0 = a0
size s1 = n1.2
size s2 = -3
size s3 = (s0 + s2)
size s4 = ceil_div(s0, s1)
size s5 = min(s0, s1)
buffer 0 : f32[s0] in
buffer 1 : i64[s3] out
check 0 : index 1 site 4
check 1 : divisor
nonempty s0
space s0 s4
{x0: i64, x1: i64 -> x2 = check_index #0 x0 x1; x3: f32 = load #0 x2; store #1 x0 x2;}
)";
    lower::Kernel kernel = lower::parse(text);
    CHECK(kernel.name == "everything");
    CHECK(kernel.sizes.count() == 6);
    CHECK(kernel.buffers ==
          std::vector<lower::Buffer>{{ir::Scalar::f32, false, ir::SizeId(0)}, {ir::Scalar::i64, true, ir::SizeId(3)}});
    CHECK(kernel.checks[0] == lower::Check{lower::Check::Kind::index, ir::SiteId(4), 1});
    CHECK(kernel.nonempty == std::vector<ir::SizeId>{ir::SizeId(0)});
    CHECK(kernel.space == std::vector<ir::SizeId>{ir::SizeId(0), ir::SizeId(4)});
    CHECK(kernel.body.insts.size() == 3);
    CHECK(lower::print(lower::parse(lower::print(kernel))) == lower::print(kernel));
}

TEST_CASE("sums of products that need not be rounded are read back") {
    const char* text = R"(kernel sum
space
{-> x0: f32 = constant 2; x1 = mul contract x0 x0; x2 = sub contract x0 x1; x3 = mul x2 x2;}
)";
    const lower::Kernel kernel = lower::parse(text);
    REQUIRE(kernel.body.insts.size() == 4);
    CHECK(kernel.body.insts[1].bits == 1);
    CHECK(kernel.body.insts[2].bits == 1);
    CHECK(kernel.body.insts[3].bits == 0);
    CHECK(lower::print(lower::parse(lower::print(kernel))) == lower::print(kernel));
    CHECK_THROWS_AS(lower::parse("kernel k\nspace\n{-> x0: f32 = constant 2; x1 = div contract x0 x0;}"), UsageError);
    CHECK_THROWS_AS(lower::parse("kernel k\nspace\n{-> x0: i32 = constant 2; x1 = mul contract x0 x0;}"), UsageError);
}

TEST_CASE("products whose factors may be of tf32 are read back") {
    const char* text = R"(kernel sum
space
{-> x0: f32 = constant 2; x1 = mul tf32 x0 x0; x2 = add contract x0 x1;}
)";
    const lower::Kernel kernel = lower::parse(text);
    REQUIRE(kernel.body.insts.size() == 3);
    CHECK(kernel.body.insts[1].bits == ir::tf32_bits);
    CHECK(kernel.body.insts[2].bits == ir::contract_bits);
    CHECK(lower::print(lower::parse(lower::print(kernel))) == lower::print(kernel));
    CHECK_THROWS_AS(lower::parse("kernel k\nspace\n{-> x0: f32 = constant 2; x1 = add tf32 x0 x0;}"), UsageError);
    CHECK_THROWS_AS(lower::parse("kernel k\nspace\n{-> x0: f64 = constant 2; x1 = mul tf32 x0 x0;}"), UsageError);
}

TEST_CASE("what accumulators begin with is read back, whatever its bits") {
    const char* text =
        "kernel k\nsize s0 = a0\nbuffer 0 : f64[s0] in\nbuffer 1 : f64[s0] out filled 18442240474082181120\n"
        "space s0\n{x0: i64 -> x1: f64 = load #0 x0; update #1 x0 x1 {x2: f64, x3: f64 -> x4 = maximum x2 x3; x4};}\n";
    const lower::Kernel kernel = lower::parse(text);
    REQUIRE(kernel.accumulators.size() == 1);
    CHECK(kernel.accumulators[0].initial == 18442240474082181120u);  // minus infinity
    CHECK(lower::print(lower::parse(lower::print(kernel))) == lower::print(kernel));
}

TEST_CASE("malformed kernels are refused") {
    for (const char* text : {"", "kernel", "kernel k\nspace s0\n{x0: i64 ->}", "kernel k\nsize s1 = a0\nspace\n{->}",
                             "kernel k\nsize s0 = a0\nsize s1 = a0\nspace\n{->}",
                             "kernel k\nbuffer 1 : f32[s0] in\nspace\n{->}", "kernel k\nspace\n{->} more"})
        CHECK_THROWS_AS(lower::parse(text), UsageError);
}
