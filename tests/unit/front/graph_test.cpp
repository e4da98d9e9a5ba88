// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include "tests/unit/front/build.hpp"

using namespace sinter;

TEST_CASE("a chain of a million nodes is released without recursion") {
    Array<float> x = from({1.f});
    front::Leaf input = leaf_of(x);
    auto before = input.node->references.load();
    front::Leaf last = input;
    for (int i = 0; i < 1'000'000; ++i)
        last = {front::make_node(front::Reverse{last, {0}}, {front::type_of(input)}, location::current()), 0};
    CHECK(input.node->references.load() == before + 1);
    last = input;
    CHECK(input.node->references.load() == before + 1);  // last itself
}

TEST_CASE("nodes have increasing serial numbers") {
    auto a = iota(1), b = iota(1);
    CHECK(leaf_of(a).node->serial < leaf_of(b).node->serial);
}

TEST_CASE("every leaf of a node is visited") {
    Array<float> x = from({1.f, 2.f});
    Array<float, 0> s = from(std::vector{1.f}, shape());
    Delayed<float> d = x;
    auto operands = [](const auto& a) {
        std::size_t count = 0;
        front::for_each_leaf(leaf_of(a).node->op, [&](const front::Leaf&) { ++count; });
        return count;
    };
    CHECK(operands(x) == 0);
    CHECK(operands(map([=](auto a, auto b) { return a + b + s() + d(0); }, x, x)) == 4);
    CHECK(operands(fold([=](auto a, auto b) { return a + b * s(); }, 0.f, x)) == 3);
    CHECK(operands(gather(iota(2), zip(x, x))) == 3);
    CHECK(operands(reverse(x)) == 1);
    CHECK(operands(force(zip(x, x))) == 2);
    CHECK(operands(for_loop(3, [](auto, auto a) { return a + 1; }, x)) == 2);
    CHECK(operands(cond(sum(x) > 0, [&] { return x + 1; }, [&] { return x * 2; })) == 1);
}
