// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the states of loops and the results of branches vary with, and what is done where lanes go different ways.
#include "schedule/facts/control.hpp"

#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using Locals = schedule::Control::Locals;
using Apart = schedule::Control::Apart;

namespace {

lower::Kernel kernel_of(const std::string& body) {
    return lower::parse(
        "kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : f32[s0] in\nbuffer 1 : f32[s0] out\nspace s1 s0\n" + body);
}

Locals locals(std::initializer_list<std::uint32_t> levels) {
    Locals result;
    for (std::uint32_t level : levels) result.emplace_back(level);
    return result;
}

/// Instruction k of a body, and what is said of it.
struct Found {
    Found(const lower::Kernel& kernel, std::size_t k)
        : flow(schedule::control_flow(kernel)), of(flow.at(&kernel.body.insts[k])) {}
    const schedule::ControlFlow flow;
    const schedule::Control& of;
};

}  // namespace

TEST_CASE("states vary with what their initial values and their steps are computed of", "[schedule]") {
    // x4: from 0, plus the column in each step; x5: from the row, doubled. As often as the size says.
    const auto kernel = kernel_of(
        "{x0: i64, x1: i64 -> x2: i64 = constant 0; x3 = size #0;"
        "x4: i64, x5: i64 = for_loop x3 x2 x0 {x4: i64, x5: i64, x6: i64 -> x7 = add x5 x1; x8 = add x6 x6; x7, x8};"
        "x6: f32 = load #0 x4; store #1 x5 x6;}");
    const Found found(kernel, 2);
    REQUIRE(found.of.states.size() == 2);
    CHECK(found.of.states[0] == locals({1, 2}));
    CHECK(found.of.states[1] == locals({0}));
    CHECK(found.of.way == locals({3}));
    auto in_columns = [](ir::Local l) { return l.index == 1; };
    const schedule::States states = states_of(found.of, in_columns);
    CHECK(states.vary == std::vector<bool>{true, false});
    CHECK(!states.diverge);
    CHECK(states_of(found.of, [](ir::Local l) { return l.index == 3; }).diverge);
}

TEST_CASE("a state that is made of another one varies with what that one does, found in later iterations", "[schedule]") {
    const auto kernel = kernel_of(
        "{x0: i64, x1: i64 -> x2: i64 = constant 0;"
        "x3: i64, x4: i64, x5: i64 = for_loop x0 x2 x2 x1 {x3: i64, x4: i64, x5: i64, x6: i64 -> x5, x6, x6};"
        "x6: f32 = load #0 x3; store #1 x1 x6;}");
    const Found found(kernel, 1);
    for (std::size_t k = 0; k < 2; ++k) CHECK(found.of.states[k] == locals({1, 2}));
    CHECK(found.of.states[2] == locals({1}));
}

TEST_CASE("a loop inside of a loop passes on what its way varies with", "[schedule]") {
    const auto kernel = kernel_of(
        "{x0: i64, x1: i64 -> x2: i64 = constant 0;"
        "x3: i64 = for_loop x0 x2 {x3: i64, x4: i64 -> x5: i64 = for_loop x1 x4 {x5: i64, x6: i64 -> x7 = add x6 x0; x7}; "
        "x5};"
        "x4: f32 = load #0 x3; store #1 x1 x4;}");
    const Found found(kernel, 1);
    CHECK(found.of.states[0] == locals({0, 1, 2}));
    const schedule::Control& inner = found.flow.at(&kernel.body.insts[1].blocks[0].insts[0]);
    CHECK(inner.way == locals({1}));
    CHECK(inner.states[0] == locals({0, 4}));
}

TEST_CASE("branches are executed by all lanes if they are cheap, else under masks", "[schedule]") {
    auto apart = [](const std::string& first, const std::string& second) {
        const auto kernel = kernel_of("{x0: i64, x1: i64 -> x2 = less x0 x1; x3: f32 = load #0 x0; x4: f32 = cond x2 {-> " +
                                      first + "} {-> " + second + "}; store #1 x1 x4;}");
        return Found(kernel, 2).of.apart;
    };
    std::string long_block = "x4 = add x3 x3; ";
    for (int k = 4; k < 12; ++k) long_block += "x" + std::to_string(k + 1) + " = add x" + std::to_string(k) + " x3; ";
    CHECK(apart("x4 = add x3 x3; x4", "x3") == Apart::select);
    CHECK(apart("x4 = div x3 x3; x5 = div x4 x3; x5", "x4 = add x3 x3; x4") == Apart::select);
    CHECK(apart("x4 = div x3 x3; x5 = div x4 x3; x5", "x4 = div x3 x3; x4") == Apart::blend);
    CHECK(apart(long_block + "x12", "x4 = add x3 x3; x5 = add x4 x3; x5") == Apart::blend);
    CHECK(apart("x4: f32 = load #0 x1; x4", "x3") == Apart::blend);
    const auto effects =
        kernel_of("{x0: i64, x1: i64 -> x2 = less x0 x1; x3: f32 = load #0 x0; cond x2 {-> store #1 x1 x3;} {-> };}");
    CHECK(Found(effects, 2).of.apart == Apart::skip);
}
