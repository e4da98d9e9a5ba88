// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sizes/size_arithmetic.hpp"
#include "ir/text/print.hpp"
#include "ir/type.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace sinter::ir;
using Kind = Size::Kind;

TEST_CASE("sizes: equal entries have equal ids", "[ir]") {
    SizeTable t;
    CHECK(t.input_extent(0, 1) == t.input_extent(0, 1));
    CHECK(t.input_extent(0, 1) != t.input_extent(1, 0));
    CHECK(t.argument(0) != t.input_extent(0, 0));
    CHECK(t.argument(1) != t.constant(1));
    CHECK(t.value(ValueId(1)) != t.argument(1));
    std::size_t before = t.count();
    t.intern(t[t.input_extent(0, 1)]);
    CHECK(t.count() == before);
}

TEST_CASE("sizes: normalisation", "[ir]") {
    SizeTable t;
    SizeId n = t.input_extent(0, 0), m = t.input_extent(1, 0);
    auto c = [&](std::int64_t value) { return t.constant(value); };
    CHECK(t.add(n, m) == t.add(m, n));
    CHECK(t.mul(n, m) == t.mul(m, n));
    CHECK(t.minimum(n, m) == t.minimum(m, n));
    CHECK(t.maximum(c(3), n) == t.maximum(n, c(3)));
    CHECK(t.add(n, c(0)) == n);
    CHECK(t.mul(n, c(1)) == n);
    CHECK(t.mul(c(0), n) == c(0));
    CHECK(t.sub(n, n) == c(0));
    CHECK(t.sub(t.add(n, c(1)), c(1)) == n);
    CHECK(t.add(t.sub(n, c(3)), c(5)) == t.add(n, c(2)));
    CHECK(t.sub(t.add(n, m), m) == n);
    CHECK(t.sub(t.add(n, m), n) == m);
    CHECK(t.add(t.sub(n, m), m) == n);
    CHECK(t.sub(n, t.sub(n, m)) == m);
    CHECK(t.sub(t.add(n, c(4)), m) == t.add(t.sub(n, m), c(4)));
    CHECK(t.mul(t.mul(n, c(2)), c(3)) == t.mul(n, c(6)));
    CHECK(t.ceil_div(n, c(1)) == n);
    CHECK(t.ceil_div(t.mul(n, c(4)), c(4)) == n);
    CHECK(t.ceil_div(c(7), c(2)) == c(4));
    CHECK(t.minimum(c(7), c(2)) == c(2));
    CHECK(t.maximum(n, n) == n);
    CHECK(t.is_constant(t.add(c(2), c(3)), 5));
    CHECK_FALSE(t.is_constant(n, 0));
}

TEST_CASE("sizes: the text does not depend on the order in which they were made", "[ir]") {
    SizeTable a, b;
    SizeId text_a = a.add(a.input_extent(0, 0), a.argument(2));
    SizeId text_b = b.add(b.argument(2), b.input_extent(0, 0));
    CHECK(print(a, text_a) == print(b, text_b));
    CHECK(print(a, a.sub(a.input_extent(3, 1), a.constant(1))) == "(n3.1 - 1)");
}

TEST_CASE("sizes: normalised expressions have the value of what was entered", "[ir]") {
    std::mt19937 random(17);
    auto below = [&](std::size_t n) { return random() % n; };
    auto value_of = [](const Size& leaf) { return leaf.index * 5 + leaf.axis + 1; };
    SizeTable table;
    std::vector<SizeId> ids;
    std::vector<std::int64_t> expected;
    auto enter = [&](SizeId id, std::int64_t value) { ids.push_back(id), expected.push_back(value); };
    for (std::size_t i = 0; i < 3; ++i) {
        enter(table.input_extent(i, 1), value_of({Kind::input_extent, static_cast<std::int64_t>(i), 1, {}, {}}));
        enter(table.constant(static_cast<std::int64_t>(i) - 1), static_cast<std::int64_t>(i) - 1);
    }
    for (int step = 0; step < 3000; ++step) {
        std::size_t a = below(ids.size()), b = below(ids.size());
        auto kind = static_cast<Kind>(static_cast<int>(Kind::add) + static_cast<int>(below(6)));
        if (kind == Kind::ceil_div && expected[b] <= 0) continue;
        if (std::abs(expected[a]) > 1000000 || std::abs(expected[b]) > 1000000) continue;
        enter(table.intern({kind, 0, 0, ids[a], ids[b]}), apply(kind, expected[a], expected[b]));
    }
    std::vector<std::int64_t> values = evaluate(table, value_of);
    for (std::size_t i = 0; i < ids.size(); ++i) REQUIRE(values[ids[i].index] == expected[i]);
}
