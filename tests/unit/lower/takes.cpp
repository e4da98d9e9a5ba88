// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/outputs/takes.hpp"

#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

using Taken = std::vector<std::optional<std::size_t>>;

/// By output, of a kernel with inputs 0 and 1 and outputs 2 and 3, all of so many elements.
Taken taken(const std::string& body, const std::vector<std::size_t>& free, const std::string& second = "f32[s0]",
            const std::string& checks = "") {
    const lower::Kernel kernel = lower::with_takes(
        lower::parse("kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : f32[s0] in\nbuffer 1 : " + second +
                     " in\nbuffer 2 : f32[s0] out\nbuffer 3 : f32[s0] out\n" + checks + "space s0\n" + body),
        free);
    CHECK(lower::print(lower::parse(lower::print(kernel))) == lower::print(kernel));
    return {kernel.buffers[2].takes, kernel.buffers[3].takes};
}

const std::string each =
    "{x0: i64 -> x1: f32 = load #0 x0; x2: f32 = load #1 x0; x3 = add x1 x2; store #2 x0 x3; x4 = mul x1 x2; store #3 x0 "
    "x4;}";
constexpr std::optional<std::size_t> none;

}  // namespace

TEST_CASE("outputs have the memory of inputs that nobody reads afterwards") {
    CHECK(taken(each, {}) == Taken{none, none});
    CHECK(taken(each, {0}) == Taken{0, none});
    CHECK(taken(each, {1}) == Taken{1, none});
    CHECK(taken(each, {0, 1}) == Taken{0, 1});
}

TEST_CASE("an input is read before it is overwritten, where it is overwritten, and by what overwrites it") {
    const std::string behind =
        "{x0: i64 -> x1: f32 = load #0 x0; store #2 x0 x1; x2: f32 = load #0 x0; x3 = add x2 x2; store #3 x0 x3;}";
    CHECK(taken(behind, {0}) == Taken{none, 0});
    const std::string neighbour =
        "{x0: i64 -> x1: i64 = constant 0; x2: f32 = load #0 x1; x3: f32 = load #1 x0; x4 = add x2 x3; store #2 x0 x4; "
        "store #3 x0 x3;}";
    CHECK(taken(neighbour, {0, 1}) == Taken{1, none});
    const std::string never = "{x0: i64 -> x1: f32 = load #0 x0; store #2 x0 x1; store #3 x0 x1;}";
    CHECK(taken(never, {1}) == Taken{none, none});
}

TEST_CASE("memory of another size or type is not taken, nor by a kernel that may fail or has loops") {
    CHECK(taken(each, {1}, "f32[s1]") == Taken{none, none});
    const std::string cast = "{x0: i64 -> x1: i32 = load #1 x0; x2: f32 = cast x1; store #2 x0 x2; store #3 x0 x2;}";
    CHECK(taken(cast, {1}, "i32[s0]") == Taken{none, none});
    const std::string checked =
        "{x0: i64 -> x1 = size #0; x2 = check_index #0 x0 x1; x3: f32 = load #0 x0; store #2 x0 x3; store #3 x0 x3;}";
    CHECK(taken(checked, {0}, "f32[s0]", "check 0 : index 0 site 0\n") == Taken{none, none});
    const std::string loop =
        "{x0: i64 -> x1: f32 = load #0 x0; x2: i64 = constant 3; x3: f32 = reduce #1 x2 x1 {x3: i64 -> x4: f32 = load #1 "
        "x3; "
        "x4} {x3: f32, x4: f32 -> x5 = add x3 x4; x5}; store #2 x0 x3; store #3 x0 x1;}";
    CHECK(taken(loop, {0}) == Taken{none, none});
}
