// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small launches between others that threads share.
#include "lower/text/parse.hpp"
#include "schedule/decision.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

schedule::Machine machine() {
    schedule::Machine m;
    m.vector_bits = 256;
    m.x86 = true;
    return m;
}

/// 200 elements, at these places of arrays.
schedule::Tasks tasks_of(const std::string& body, bool& spread) {
    const auto kernel = lower::parse(
        "kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : f64[s1] in\nbuffer 1 : f64[s1] out of 0\nspace s0\n" + body);
    const auto candidates = schedule::candidates_of(kernel, machine());
    const std::vector<std::int64_t> sizes = {200, 80000};
    schedule::Tasks tasks = schedule::decide(kernel, candidates, sizes.data(), 2).tasks;
    REQUIRE(tasks.is_call());
    const double work = tasks.work;
    spread = schedule::spread(tasks, candidates, 2);
    CHECK((tasks.work > work) == spread);
    return tasks;
}

}  // namespace

TEST_CASE("a column between launches that threads share is a task per thread", "[schedule]") {
    bool spread = false;
    const schedule::Tasks tasks =
        tasks_of("{x0: i64 -> x1 = size #1; x2 = mul x0 x1; x3: f64 = load #0 x2; x4 = add x3 x3; store #1 x2 x4;}", spread);
    CHECK(spread);
    CHECK(tasks.count() == 2);
    CHECK(tasks.threads == 2);
}

TEST_CASE("a row between launches that threads share stays one call", "[schedule]") {
    bool spread = false;
    const schedule::Tasks tasks = tasks_of("{x0: i64 -> x1: f64 = load #0 x0; x2 = add x1 x1; store #1 x0 x2;}", spread);
    CHECK(!spread);
    CHECK(tasks.is_call());
}
