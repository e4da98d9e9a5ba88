// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/collisions.hpp"

#include "lower/text/parse.hpp"
#include "schedule/decision.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>

using namespace sinter;
using schedule::points_that_meet;

namespace {

/// Of rows x columns points, each of which stores two values at an offset that `body` computes of x0 and x1 last.
lower::Kernel kernel_of(const std::string& body) {
    const std::size_t last = body.rfind('x', body.rfind('='));
    const std::string offset = body.substr(last, body.find(' ', last) - last);
    return lower::parse(
        "kernel k\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nbuffer 0 : f64[s2] in\nbuffer 1 : i64[s2] in\n"
        "buffer 2 : f64[s2] out of 0\nbuffer 3 : i64[s2] out of 1\ncheck 0 : index 0\nspace s0 s1\n{x0: i64, x1: i64 ->\n"
        "  x2 = size #0; x3 = size #1; x4 = size #2; x5: f64 = load #0 x0; x6: i64 = load #1 x1;\n" +
        body + "\n  store #2 " + offset + " x5;\n  store #3 " + offset + " x6;\n}\n");
}

std::int64_t meet(const std::string& body, std::int64_t rows, std::int64_t columns) {
    const std::vector<std::int64_t> sizes = {rows, columns, 100000};
    return points_that_meet(kernel_of(body), sizes.data());
}

}  // namespace

TEST_CASE("points that store to elements of their own never meet", "[collisions]") {
    CHECK(schedule::overwritten_arrays(kernel_of("x7 = mul x0 x3; x8 = add x1 x2; x9 = add x7 x8;")) == 2);
    CHECK(meet("x7 = mul x0 x3; x8 = add x1 x2; x9 = add x7 x8;", 20, 30) == 1);
    CHECK(meet("x7 = mul x1 x2; x8 = add x0 x3; x9 = sub x8 x7;", 20, 30) == 1);  // against the grain
    CHECK(meet("x7 = mul x0 x3; x8 = check_index #0 x1 x4; x9 = add x7 x8;", 20, 30) == 1);
    CHECK(meet("x7: i64 = load #1 x3; x8 = mul x0 x3; x9 = add x7 x1; x10 = add x8 x9;", 20, 30) == 1);
}

TEST_CASE("rows whose points may meet are apart from each other, or not", "[collisions]") {
    const std::string within = "x7 = mul x0 x3; x8 = check_index #0 x6 x3; x9 = add x7 x8;";
    CHECK(meet(within, 20, 30) == 30);
    CHECK(meet("x7 = mul x0 x3; x8 = check_index #0 x6 x4; x9 = add x7 x8;", 20, 30) == 600);
    CHECK(meet("x7 = mul x0 x3; x8 = mul x7 x7; x9 = check_index #0 x8 x4;", 20, 30) == 600);
    CHECK(meet("x7: i64 = constant 0; x8 = add x7 x1; x9 = add x8 x7;", 20, 30) == 600);
    CHECK(meet("x7: i64 = constant 0; x8 = add x7 x1; x9 = add x8 x7;", 1, 30) == 1);
    CHECK(meet("x7: i64 = constant 0; x8 = add x7 x6; x9 = add x8 x7;", 20, 30) == 600);
}

TEST_CASE("without sizes, indices are told apart as digits", "[collisions]") {
    const auto stores = [](const std::string& body) {
        const lower::Kernel kernel = kernel_of(body);
        return schedule::stores_that_may_meet(kernel).size();
    };
    const std::string column = "x8 = check_index #0 x1 x3;";
    CHECK(stores("x7 = mul x0 x3;" + column + "x9 = add x7 x8;") == 0);
    CHECK(stores("x7 = mul x0 x3; x8 = add x7 x1;") == 0);
    CHECK(stores("x7 = add x0 x4; x8 = mul x7 x3; x9 = sub x1 x6; x10 = check_index #0 x9 x3; x11 = add x10 x8;") == 2);
    CHECK(stores("x7 = add x0 x4; x8 = mul x7 x3; x9 = sub x2 x1; x10 = check_index #0 x9 x3; x11 = add x10 x8;") == 0);
    // Whether a row is as long as the axis, sizes say; and whether a factor is 0.
    CHECK(stores("x7 = mul x0 x4; x8 = add x7 x1;") == 2);
    CHECK(meet("x7 = mul x0 x4; x8 = add x7 x1;", 20, 30) == 1);
    CHECK(stores("x7: i64 = constant 40; x8 = mul x0 x7; x9 = add x8 x1;") == 2);
    CHECK(meet("x7: i64 = constant 40; x8 = mul x0 x7; x9 = add x8 x1;", 20, 30) == 1);
    CHECK(stores("x7: i64 = load #1 x3; x8 = mul x0 x7; x9 = mul x8 x3; x10 = add x9 x1;") == 2);
    CHECK(stores("x7 = mul x0 x3; x8 = check_index #0 x6 x3; x9 = add x7 x8;") == 2);
    CHECK(stores("x7: i64 = constant 4611686018427387904; x8 = mul x0 x7; x9 = mul x8 x3; x10 = add x9 x1;") == 2);
}

TEST_CASE("stores to one array at two offsets may meet, and those of a loop", "[collisions]") {
    const std::string head =
        "kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : f64[s1] in\nbuffer 1 : f64[s1] out of 0\nspace s0\n{x0: i64 ->\n";
    const auto stores = [&](const std::string& body) {
        const lower::Kernel kernel = lower::parse(head + body + "\n}\n");
        return schedule::stores_that_may_meet(kernel).size();
    };
    CHECK(stores("x1: f64 = load #0 x0; store #1 x0 x1;") == 0);
    CHECK(stores("x1: f64 = load #0 x0; store #1 x0 x1; store #1 x0 x1;") == 0);
    CHECK(stores("x1: f64 = load #0 x0; x2: i64 = constant 1; x3 = add x0 x2; store #1 x0 x1; store #1 x3 x1;") == 2);
}

TEST_CASE("no points outside of a group store to its elements", "[collisions]") {
    for (int a = -7; a <= 7; ++a)
        for (int b = -7; b <= 7; ++b)
            for (std::int64_t rows : {1, 2, 5})
                for (std::int64_t columns : {1, 3, 4}) {
                    const auto body = fmt::format(
                        "x7: i64 = constant {}; x8: i64 = constant {}; x9 = mul x0 x7; "
                        "x10 = mul x1 x8; x11 = add x9 x10;",
                        a, b);
                    CAPTURE(body, rows, columns);
                    const std::int64_t group = meet(body, rows, columns);
                    REQUIRE((group >= 1 && rows * columns % group == 0));
                    std::map<std::int64_t, std::int64_t> groups;
                    bool meets = false;
                    for (std::int64_t point = 0; point < rows * columns; ++point) {
                        const std::int64_t offset = point / columns * a + point % columns * b;
                        const auto [place, is_new] = groups.emplace(offset, point / group);
                        CHECK(place->second == point / group);
                        meets |= !is_new;
                    }
                    if (meets) CHECK(group > 1);
                }
}

TEST_CASE("tasks do not divide points that meet", "[collisions]") {
    schedule::Machine machine;
    machine.vector_bits = 256;
    machine.x86 = true;
    const lower::Kernel kernel = kernel_of("x7 = mul x0 x3; x8 = check_index #0 x6 x3; x9 = add x7 x8;");
    const auto candidates = schedule::candidates_of(kernel, machine);
    const std::vector<std::int64_t> sizes = {20, 3000000, 60000000};
    const auto tasks = [&](std::int64_t together) {
        return schedule::decide(kernel, candidates, sizes.data(), 4, together).tasks;
    };
    CHECK(tasks(1).inner_tasks() > 1);
    CHECK(!tasks(1).in_order);
    CHECK(tasks(3000000).inner_tasks() == 1);
    CHECK(tasks(3000000).row_tasks() > 1);
    CHECK(tasks(3000000).threads == 4);
    CHECK(tasks(60000000).threads == 1);
}
