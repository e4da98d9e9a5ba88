// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that computed indices reach.
#include "ir/evaluate.hpp"
#include "lower/text/parse.hpp"
#include "schedule/steps/reach.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::schedule;

namespace {

/// Of points i and j, an element of an array at a number that is made of these and of constants, step by step.
class Index {
  public:
    Index(std::int64_t rows, std::int64_t columns) : rows_(rows), columns_(columns) {}

    std::size_t constant(std::int64_t n) { return add({ir::Op::constant, 0, 0, n}, fmt::format(": i64 = constant {}", n)); }
    std::size_t op(ir::Op op, const char* name, std::size_t a, std::size_t b) {
        return add({op, a, b, 0}, fmt::format(" = {} x{} x{}", name, a, b));
    }

    /// What a point reads of an array of so many elements.
    PartFacts facts(std::int64_t elements) const {
        const std::size_t last = steps_.size() + 1;
        const std::string text = fmt::format(
            "kernel map\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nsize s3 = a2\nbuffer 0 : f32[s3] in\n"
            "buffer 1 : f32[s2] out\nspace s0 s1\n{{x0: i64, x1: i64 ->\n{}  x{}: f32 = load #0 x{};\n  x{} = size #1;\n"
            "  x{} = mul x0 x{};\n  x{} = add x{} x1;\n  store #1 x{} x{};\n}}\n",
            text_, last + 1, last, last + 2, last + 3, last + 2, last + 4, last + 3, last + 4, last + 1);
        const std::vector<std::int64_t> sizes = {rows_, columns_, rows_ * columns_, elements};
        return part_facts(lower::parse(text), sizes.data());
    }

    std::int64_t at(std::int64_t i, std::int64_t j) const {
        std::vector<std::uint64_t> values{static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)};
        for (const Step& step : steps_) {
            constexpr ir::Scalar types[] = {ir::Scalar::i64, ir::Scalar::i64};
            const std::uint64_t operands[] = {values[step.a], values[step.b]};
            values.push_back(step.op == ir::Op::constant ? static_cast<std::uint64_t>(step.number)
                                                         : ir::evaluate(step.op, ir::Scalar::i64, types, operands));
        }
        return static_cast<std::int64_t>(values.back());
    }

  private:
    struct Step {
        ir::Op op;
        std::size_t a, b;
        std::int64_t number;
    };
    std::size_t add(const Step& step, const std::string& text) {
        steps_.push_back(step);
        text_ += fmt::format("  x{}{};\n", steps_.size() + 1, text);
        return steps_.size() + 1;
    }

    std::int64_t rows_, columns_;
    std::vector<Step> steps_;
    std::string text_;
};

/// The reach of a buffer whose row 0 is that of an index, in rows of so many elements.
Reach rows_read(Index& index, std::size_t row, std::int64_t columns, std::int64_t elements) {
    index.op(ir::Op::add, "add", index.op(ir::Op::mul, "mul", row, index.constant(columns)), 1);
    return index.facts(elements).reach[0];
}

}  // namespace

TEST_CASE("every second row, with those beside it around the ends, is read along the rows", "[reach]") {
    Index index(32, 10);  // of 64 rows
    const std::size_t twice = index.op(ir::Op::mul, "mul", 0, index.constant(2));
    const std::size_t beside = index.op(ir::Op::add, "add", twice, index.constant(2));
    const Reach reach = rows_read(index, index.op(ir::Op::wrap, "wrap", beside, index.constant(64)), 10, 640);
    REQUIRE(reach.kind == Reach::Kind::near);
    CHECK(reach.wraps);
    CHECK(reach.parts_of({4, 6}, 640) == std::vector<Interval>{{100, 130}});
    CHECK(reach.parts_of({30, 32}, 640) == std::vector<Interval>{{0, 10}, {620, 640}});
}

TEST_CASE("rows that two points share are read along the rows", "[reach]") {
    for (std::int64_t columns : {10, 11}) {
        Index index(64, columns);  // of 32 rows
        const Reach reach = rows_read(index, index.op(ir::Op::div, "div", 0, index.constant(2)), columns, 32 * columns);
        REQUIRE(reach.kind == Reach::Kind::near);
        const Interval part = reach.of({8, 12}, 32 * columns);
        CHECK(part.begin <= 4 * columns);
        CHECK(part.begin > 3 * columns);
        CHECK(part.end >= 6 * columns);
        CHECK(part.end < 7 * columns);
    }
}

TEST_CASE("rows above those of a flat index are read along it", "[reach]") {
    Index index(600, 1);  // 20 rows of 30
    const std::size_t columns = index.constant(30), row = index.op(ir::Op::div, "div", 0, columns);
    const std::size_t above = index.op(ir::Op::sub, "sub", row, index.constant(1));
    const std::size_t around = index.op(ir::Op::wrap, "wrap", above, index.constant(20));
    const std::size_t first = index.op(ir::Op::mul, "mul", around, columns);
    index.op(ir::Op::add, "add", first, index.op(ir::Op::rem, "rem", 0, columns));
    const Reach reach = index.facts(600).reach[0];
    REQUIRE(reach.kind == Reach::Kind::near);
    CHECK(reach.wraps);
    CHECK(reach.parts_of({300, 330}, 600) == std::vector<Interval>{{241, 329}});  // row 9, and less than a row beside it
}

TEST_CASE("whatever an index is computed from, it is within reach", "[reach]") {
    constexpr std::pair<ir::Op, const char*> with_constant[] = {
        {ir::Op::add, "add"},         {ir::Op::sub, "sub"},   {ir::Op::mul, "mul"},
        {ir::Op::div, "div"},         {ir::Op::rem, "rem"},   {ir::Op::minimum, "minimum"},
        {ir::Op::maximum, "maximum"}, {ir::Op::wrap, "wrap"}, {ir::Op::symmetric, "symmetric"},
        {ir::Op::reflect, "reflect"}, {ir::Op::div, "div"},   {ir::Op::wrap, "wrap"}};
    constexpr std::pair<ir::Op, const char*> with_another[] = {
        {ir::Op::add, "add"}, {ir::Op::sub, "sub"}, {ir::Op::minimum, "minimum"}, {ir::Op::maximum, "maximum"}};
    std::mt19937 random(7);
    auto below = [&](std::size_t n) { return random() % n; };
    int near = 0, rational = 0, around = 0;
    for (int n = 0; n < 20000; ++n) {
        const std::int64_t rows = 1 + static_cast<std::int64_t>(below(12)),
                           columns = 1 + static_cast<std::int64_t>(below(4));
        Index index(rows, columns);
        std::vector<std::size_t> made{0, 0, 1};
        for (std::size_t steps = 1 + below(5); steps > 0; --steps) {
            const std::size_t a = made[made.size() - 1 - below(std::min<std::size_t>(3, made.size()))];
            if (below(4) == 0) {
                const auto& [op, name] = with_another[below(std::size(with_another))];
                made.push_back(index.op(op, name, a, made[below(made.size())]));
                continue;
            }
            const auto& [op, name] = with_constant[below(std::size(with_constant))];
            const std::int64_t extents[] = {rows, 2 * rows, rows * columns, 3, 5};
            const bool keeps = op == ir::Op::wrap || op == ir::Op::symmetric || op == ir::Op::reflect;
            const std::int64_t number = keeps ? extents[below(5)] : static_cast<std::int64_t>(1 + below(5));
            made.push_back(index.op(op, name, a, index.constant(number)));
        }
        const std::int64_t candidates[] = {rows, 2 * rows, 3 * rows, rows * columns, 40};
        const std::int64_t elements = candidates[below(5)];
        const Reach reach = index.facts(elements).reach[0];
        if (reach.kind != Reach::Kind::near) continue;
        ++near, rational += reach.over > 1, around += reach.wraps;
        for (std::int64_t i = 0; i < rows; ++i) {
            const std::vector<Interval> parts = reach.parts_of({i, i + 1}, elements);
            for (std::int64_t j = 0; j < columns; ++j) {
                const std::int64_t e = index.at(i, j);
                if (e < 0 || e >= elements) continue;  // no kernel reads there
                auto has = [&](const Interval& part) { return part.begin <= e && e < part.end; };
                REQUIRE(std::any_of(parts.begin(), parts.end(), has));
                if (reach.slope <= 0 || reach.wraps) continue;
                const Interval all = reach.indices({e, e + 1}, rows), sure = reach.indices_within({0, e}, rows);
                REQUIRE((all.begin <= i && i < all.end));
                REQUIRE((sure.empty() || i < sure.begin || i >= sure.end));
            }
        }
    }
    CHECK(near > 5000);
    CHECK(rational > 100);
    CHECK(around > 20);
}
