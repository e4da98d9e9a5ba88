// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversion is linear. Bounds are an order of magnitude above what a slow machine needs.
#include "tests/unit/convert/graphs.hpp"

#include <catch2/catch.hpp>

#include <chrono>

using namespace graphs;

namespace {

template <class F>
double seconds(F f) {
    auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("speed: x = x + x sixty times", "[convert]") {
    Leaf x = input({8});
    for (int k = 0; k < 60; ++k) x = x + x;
    convert::Result result;
    double best = 1;
    for (int k = 0; k < 5; ++k) best = std::min(best, seconds([&] { result = converted({x}); }));
    CHECK(result.program.body.bindings.size() == 60);
    CHECK(best < 0.02);
}

TEST_CASE("speed: a chain of a million nodes", "[convert]") {
    const int million = 1'000'000;
    ir::Fn fn = ir::parse_fn("{x0: f32 -> x1 = negate x0; x1}");
    Leaf x = input({8});
    for (int k = 0; k < million; ++k) {
        if (k % 10 == 9)
            x = node(front::Force{{x}}, Scalar::f32, {8});
        else
            x = node(front::Map{fn, {x}, {}, false, {}}, Scalar::f32, {8});
    }
    convert::Result result;
    double time = seconds([&] { result = convert::convert(Leaves{x}, {}, {}); });
    CHECK(result.program.body.bindings.size() == million);
    CHECK(result.program.body.results[0] == ir::ValueId(million));
    CHECK(time < 30);
}

TEST_CASE("speed: many inputs that must agree", "[convert]") {
    Leaf x = input({8});
    for (int k = 0; k < 20'000; ++k) x = x + input({8});
    convert::Result result;
    CHECK(seconds([&] { result = convert::convert(Leaves{x}, {}, {}); }) < 20);
    CHECK(result.program.body.guards.size() == 20'000);
}

TEST_CASE("speed: sizes that share subexpressions", "[convert]") {
    Leaf n = parameter(Scalar::i64);
    Leaf m = n;
    for (int k = 0; k < 60; ++k) m = map("{x0: i64, x1: i64 -> x2 = add x0 x1; x2}", {m, m});
    convert::Result result;
    CHECK(seconds([&] { result = convert::convert(Leaves{iota(m)}, std::vector{n.node}, {}); }) < 1);
    CHECK(result.program.body.bindings.size() == 1);
}
