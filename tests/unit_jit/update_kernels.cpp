// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What updates are split into, as text.
#include "jit/host/updates/update_kernels.hpp"

#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

const char* const scatter =
    "kernel scatter\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = (s0 * s1)\nbuffer 0 : f32[s2] in\nbuffer 1 : "
    "i32[s3] in\nbuffer 2 : f32[s2] out of 0\ncheck 0 : index 0 site 1\nnonempty s2\nspace s0 s1\n"
    "{x0: i64, x1: i64 -> x2: i64 = size #1; x3 = mul x0 x2; x4 = add x3 x1; x5: i32 = load #1 x4; x6: i64 = cast x5; "
    "x7: i64 = constant -1; x8 = not_equal x6 x7; x9: f32 = constant 1;\n"
    "cond x8 {-> x10: i64 = size #2; x11 = check_index #0 x6 x10; "
    "update #2 x11 x9 {x12: f32, x13: f32 -> x14 = add x12 x13; x14};} {->};}\n";

}  // namespace

namespace {

/// Checks that what is printed can be read.
std::string body(const lower::Kernel& kernel) {
    const std::string text = lower::print(lower::parse(lower::print(kernel)));
    return text.substr(text.find("space"));
}

}  // namespace

TEST_CASE("an update is noted, applied or merged") {
    const auto kernels = host::split_update(lower::parse(scatter));
    REQUIRE(kernels.has_value());
    CHECK(kernels->first == 2);
    CHECK(kernels->types == std::vector{ir::Scalar::f32});
    CHECK(kernels->neutral == std::vector<std::uint64_t>{0x80000000});
    CHECK(body(kernels->noted) ==
          "space s0 s1\n"
          "{x0: i64, x1: i64 ->\n"
          "  x2 = size #1;\n  x3 = mul x0 x2;\n  x4 = add x3 x1;\n"
          "  x5 = size #1;\n  x6 = mul x0 x5;\n  x7 = add x6 x1;\n"
          "  x8: i32 = load #1 x7;\n  x9: i64 = cast x8;\n  x10: i64 = constant -1;\n"
          "  x11 = not_equal x9 x10;\n  x12: f32 = constant 1;\n"
          "  x13: u32 = cond x11 {-> x13 = size #2; x14 = check_index #0 x9 x13; x15: u32 = cast x14; x15} "
          "{-> x13: u32 = constant 4294967295; x13};\n"
          "  store #3 x4 x13;\n  store #2 x4 x12;\n}\n");
    CHECK(body(kernels->applied) ==
          "space s0\n"
          "{x0: i64 ->\n"
          "  x1: u32 = load #0 x0;\n  x2: i64 = cast x1;\n  x3: f32 = load #1 x0;\n"
          "  update #2 x2 x3 {x4: f32, x5: f32 -> x6 = add x4 x5; x6};\n}\n");
    CHECK(body(kernels->merged) ==
          "space s0\n"
          "{x0: i64 ->\n"
          "  x1: f32 = load #0 x0;\n"
          "  update #1 x0 x1 {x2: f32, x3: f32 -> x4 = add x2 x3; x4};\n}\n");
}

TEST_CASE("a value that only updates that happen know is noted with them") {
    const auto kernels = host::split_update(
        lower::parse("kernel scatter\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : f32[s1] in\nbuffer 1 : f32[s0] in\n"
                     "buffer 2 : f32[s1] out of 0\nspace s0\n"
                     "{x0: i64 -> x1: f32 = load #1 x0; x2: f32 = constant 0; x3 = less x1 x2;\n"
                     "cond x3 {-> x4 = negate x1; x5: i64 = constant 7; "
                     "update #2 x5 x4 {x6: f32, x7: f32 -> x8 = add x6 x7; x8};} {->};}\n"));
    REQUIRE(kernels.has_value());
    CHECK(body(kernels->noted) ==
          "space s0\n"
          "{x0: i64 ->\n"
          "  x1: f32 = load #1 x0;\n  x2: f32 = constant 0;\n  x3 = less x1 x2;\n"
          "  x4: u32, x5: f32 = cond x3 {-> x4 = negate x1; x5: i64 = constant 7; x6: u32 = cast x5; x6, x4} "
          "{-> x4: u32 = constant 4294967295; x5: f32 = constant 0; x4, x5};\n"
          "  store #3 x0 x4;\n  store #2 x0 x5;\n}\n");
}

TEST_CASE("updates that are not split") {
    std::string text = scatter;
    const auto replace = [&](const std::string& what, const std::string& with) {
        std::string changed = text;
        changed.replace(changed.find(what), what.size(), with);
        return lower::parse(changed);
    };
    const auto own = replace("x14 = add x12 x13; x14", "x14 = mul x12 x13; x15 = add x12 x13; x16 = add x14 x15; x16");
    REQUIRE(host::split_update(own).has_value());
    CHECK(!host::split_update(own)->neutral.has_value());
    CHECK(!host::split_update(replace("x14 = add x12 x13; x14", "x14 = add x12 x9; x14")).has_value());
    CHECK(!host::split_update(replace("{->};}", "{->}; store #2 x4 x9;}")).has_value());
}
