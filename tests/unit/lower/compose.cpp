// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/compose/append_kernel.hpp"
#include "lower/compose/bounded_folds.hpp"
#include "lower/text/parse.hpp"
#include "lower/verify.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <optional>
#include <vector>

#include "ir/evaluate.hpp"
#include "ir/text/print.hpp"

using namespace sinter;
using namespace sinter::lower;

namespace {

/// One more than each element of a part of buffer 0, to the same place.
Kernel increments() {
    return parse(R"(kernel map
size s0 = a0
buffer 0 : i64[s0] in
buffer 1 : i64[s0] out
space s0
{x0: i64 -> x1: i64 = load #0 x0; x2: i64 = constant 1; x3 = add x1 x2; store #1 x0 x3;})");
}

/// The sum of the first elements of buffer 0.
Kernel sum() {
    return parse(R"(kernel fold
size s0 = 1
size s1 = a0
buffer 0 : i64[s1] in
buffer 1 : i64[s0] out
space s0
{x0: i64 ->
  x1 = size #1;
  x2: i64 = constant 0;
  x3: i64 = reduce #257 x1 x2 {x3: i64 -> x4: i64 = load #0 x3; x4} {x3: i64, x4: i64 -> x5 = add x3 x4; x5};
  store #1 x0 x3;
})");
}

}  // namespace

TEST_CASE("several points are a for_each, one is none") {
    BlockWriter to;
    const Local n = to.index(7);
    const Kernel map = increments(), fold = sum();
    Part part{map, {std::size_t{3}, std::size_t{3}}, {n}};
    REQUIRE(append_kernel(to, part));
    Part scalar{fold, {std::size_t{3}, std::monostate()}, {std::nullopt, n}};
    const auto stored = append_kernel(to, scalar);
    REQUIRE(stored);
    REQUIRE((*stored)[1]);
    const std::string text = ir::print(to.close({*(*stored)[1]}));
    CHECK(text.find("for_each") != std::string::npos);
    CHECK(text.find("load #3") != std::string::npos);
    CHECK(text.find("store #3") != std::string::npos);
    CHECK(text.find("reduce") != std::string::npos);
    CHECK(text.find("store #1") == std::string::npos);
}

TEST_CASE("kernels that cannot be a part") {
    BlockWriter to;
    const Local n = to.index(7);
    const Kernel map = increments();
    CHECK(!append_kernel(to, {map, {std::size_t{0}, std::monostate()}, {n}}));  // many values are no local
    const Kernel rows = parse(R"(kernel map_fold
size s0 = a0
buffer 0 : i64[s0] in
buffer 1 : i64[s0] out
space s0
{x0: i64 ->
  x1: i64 = constant 0;
  x2: i64 = reduce #257 x0 x1 {x2: i64 -> x3: i64 = load #0 x2; x3} {x2: i64, x3: i64 -> x4 = add x2 x3; x4};
  store #1 x0 x2;
})");
    CHECK(!append_kernel(to, {rows, {std::size_t{0}, std::size_t{1}}, {n}}));
}

TEST_CASE("kernels that may store where they load") {
    CHECK(is_pointwise(increments(), 0, 1));
    const Kernel neighbours = parse(R"(kernel map
size s0 = a0
buffer 0 : i64[s0] in
buffer 1 : i64[s0] out
space s0
{x0: i64 -> x1: i64 = constant 0; x2: i64 = load #0 x1; store #1 x0 x2;})");
    CHECK(!is_pointwise(neighbours, 0, 1));
    CHECK(!is_pointwise(sum(), 0, 1));
}

TEST_CASE("ranges of sizes") {
    BlockWriter to;
    const Local a = to.index(3), b = to.index(-5);
    CHECK(to.range(to.append(ir::Op::mul, a, b)).least == -15);
    CHECK(to.range(to.append(ir::Op::minimum, a, b)).most == -5);
    const Range all;
    CHECK(!range_of(ir::Op::add, all, {1, 1}));
    CHECK(!range_of(ir::Op::sub, {0, 1}, all));
    CHECK(!range_of(ir::Op::mul, all, {2, 2}));
    CHECK(range_of(ir::Op::maximum, all, {1, 5})->least == 1);
}

TEST_CASE("ranges of quotients contain all results") {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    CHECK(!range_of(ir::Op::div, {lowest, 0}, {-1, 1}));
    CHECK(range_of(ir::Op::div, {lowest, 0}, {1, 1}));
    CHECK(range_of(ir::Op::rem, {}, {lowest, 3})->most == std::numeric_limits<std::int64_t>::max());
    const std::int64_t ends[] = {-9, -2, -1, 0, 1, 3, 8};
    for (ir::Op op :
         {ir::Op::div, ir::Op::rem, ir::Op::wrap, ir::Op::symmetric, ir::Op::reflect, ir::Op::bit_and, ir::Op::shift_right})
        for (std::int64_t a0 : ends)
            for (std::int64_t a1 : ends)
                for (std::int64_t b0 : ends)
                    for (std::int64_t b1 : ends) {
                        if (a0 > a1 || b0 > b1) continue;
                        const std::optional<Range> range = range_of(op, {a0, a1}, {b0, b1});
                        CHECK((range || (op == ir::Op::bit_and && a0 < 0 && b0 < 0)));
                        if (!range) continue;
                        for (std::int64_t a = a0; a <= a1; ++a)
                            for (std::int64_t b = b0; b <= b1; ++b) {
                                const Scalar types[] = {Scalar::i64, Scalar::i64};
                                const std::uint64_t values[] = {static_cast<std::uint64_t>(a),
                                                                static_cast<std::uint64_t>(b)};
                                const auto result = static_cast<std::int64_t>(ir::evaluate(op, Scalar::i64, types, values));
                                INFO(static_cast<int>(op) << ' ' << a << ' ' << b << ": " << result);
                                if (!range->contains({result, result})) FAIL();
                            }
                    }
}

TEST_CASE("ranges of casts and of checked divisors") {
    BlockWriter to;
    const std::vector<Local> params = to.open({Scalar::i8, Scalar::u32, Scalar::i64, Scalar::boolean, Scalar::f32});
    const auto cast = [&](std::size_t k) { return to.range(to.append({ir::Op::cast, {Scalar::i64}, 0, {params[k]}, {}})); };
    CHECK(cast(0).least == -128);
    CHECK(cast(0).most == 127);
    CHECK(cast(1).least == 0);
    CHECK(cast(1).most == 0xffffffff);
    CHECK(cast(3).most == 1);
    CHECK(cast(4).contains(Range{}));
    to.set_range(params[2], {0, 0});
    const Range divisor = to.range(to.append({ir::Op::check_divisor, {Scalar::i64}, 0, {params[2]}, {}}));
    CHECK(divisor.least == 1);
    CHECK(divisor.most == 1);
}

TEST_CASE("a kernel without axes loads what it has stored, others do not") {
    const std::string head = "kernel k\nsize s0 = 4\nbuffer 0 : i64[s0] in\nbuffer 1 : i64[s0] out of 0\n";
    const std::string body = "x1: i64 = constant 0; x2: i64 = load #1 x1; store #1 x1 x2;}";
    CHECK_NOTHROW(verify(parse(head + "space\n{-> x0: i64 = constant 0; x1: i64 = load #1 x0; store #1 x0 x1;}")));
    CHECK_THROWS(verify(parse(head + "space s0\n{x0: i64 -> " + body)));
    const Kernel guarded =
        parse(head +
              "check 0 : guard 2\nspace\n{-> x0: i64 = constant 0; x1 = equal x0 x0; x2: bool = expect #0 x1 "
              "x0 x0; for_loop x0 {x3: i64 -> store #1 x3 x3;};}");
    CHECK(parse(print(guarded)).checks[0] == Check{Check::Kind::guard, {}, 2});
}

TEST_CASE("folds are bounded by the arrays along which they load") {
    const auto fold_of = [](const std::string& type, const std::string& element) {
        return lower::parse("kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : " + type + "[s0] in\nbuffer 1 : " + type +
                            "[s0] out\nspace\n{-> x0 = size #1; x1: i64 = constant 3; x2: " + type +
                            " = constant 0; x3: " + type + " = reduce #257 x0 x2 {x3: i64 -> " + element + "} {x3: " + type +
                            ", x4: " + type + " -> x5 = add x3 x4; x5}; store #1 x1 x3;}");
    };
    CHECK(has_bounded_folds(fold_of("f32", "x4: f32 = load #0 x3; x4")));
    CHECK(has_bounded_folds(fold_of("f32", "x4 = mul x3 x1; x5 = add x4 x1; x6: f32 = load #0 x5; x6")));
    CHECK(!has_bounded_folds(fold_of("f32", "x4: f32 = load #0 x1; x4")));                  // one element, again and again
    CHECK(!has_bounded_folds(fold_of("f32", "x4 = rem x3 x1; x5: f32 = load #0 x4; x5")));  // the same few
    CHECK(!has_bounded_folds(fold_of("f32", "x4: f32 = constant 1; x4")));
    CHECK(has_bounded_folds(fold_of("i32", "x4: i32 = load #0 x1; x4")));  // in any order
}
