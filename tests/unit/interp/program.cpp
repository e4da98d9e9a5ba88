// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The meaning of every array operation.
#include "interp/program.hpp"

#include "ir/evaluate.hpp"
#include "ir/text/parse.hpp"
#include "ir/verify/verify.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

using Extents = std::vector<std::int64_t>;

ArrayValue ints(Extents shape, std::vector<std::int64_t> values) {
    return ArrayValue(Scalar::i64, std::move(shape), std::vector<std::uint64_t>(values.begin(), values.end()));
}

ArrayValue floats(Extents shape, const std::vector<double>& values) {
    std::vector<std::uint64_t> bits;
    for (double value : values) bits.push_back(ir::from_double(Scalar::f32, value));
    return ArrayValue(Scalar::f32, std::move(shape), bits);
}

/// A program as convert makes it: verified, its sites known.
ir::Program program(std::string_view text) {
    ir::Program result = ir::parse(text);
    ir::verify(result);
    result.sites.push_back({location::current()});
    for (ir::Binding& binding : result.body.bindings) binding.site = ir::SiteId(0);
    return result;
}

std::vector<ArrayValue> run(std::string_view text, std::vector<ArrayValue> inputs, Extents sizes = {}) {
    return interpret(program(text), std::move(inputs), sizes);
}

}  // namespace

TEST_CASE("map: element-wise, with captured scalars, several results, of rank 0") {
    auto results = run(R"(%0 : f32[n0] = input
%1 : f32[n0] = input
%2 : f32 = input
%3 : f32[n0], %4 : bool[n0] = map (%0, %1; %2) {x0: f32, x1: f32, x2: f32 -> x3 = fma x0 x2 x1; x4 = less x0 x1; x3, x4}
%5 : f32 = map (%2) {x0: f32 -> x1 = negate x0; x1}
return %3, %4, %5
)",
                       {floats({3}, {1, 2, 3}), floats({3}, {3, 2, 1}), floats({}, {10})});
    CHECK(results[0] == floats({3}, {13, 22, 31}));
    CHECK(results[1] == ArrayValue(Scalar::boolean, {3}, std::vector<std::uint64_t>{1, 0, 0}));
    CHECK(results[2] == floats({}, {-10}));
}

TEST_CASE("generate and indexed map get the index, reads are of any element") {
    auto results = run(R"(arguments 2
%0 : i64[n0] = input
%1 : i64[a0, a1] = generate () {x0: i64, x1: i64 -> x2: i64 = constant 10; x3 = mul x2 x0; x4 = add x1 x3; x4}
%2 : i64[n0] = map_indexed (%0; ; %0) {@0: i64^1, x0: i64, x1: i64 -> x2 = extent @0^0; x3: i64 = constant 1; x4 = sub x2 x3; x5 = sub x4 x0; x6: i64 = read @0 x5; x7 = add x1 x6; x7}
return %1, %2
)",
                       {ints({3}, {1, 2, 4})}, {2, 3});
    CHECK(results[0] == ints({2, 3}, {0, 1, 2, 10, 11, 12}));
    CHECK(results[1] == ints({3}, {5, 4, 5}));
}

TEST_CASE("functions have branches and loops") {
    auto results = run(R"(%0 : i64[n0] = input
%1 : i64[n0], %2 : i64[n0], %3 : i64[n0] = map (%0) {x0: i64 ->
  x1: i64 = constant 0;
  x2: i64 = constant 1;
  x3 = less x0 x1;
  x4: i64 = cond x3 {-> x4 = negate x0; x4} {-> x4 = add x0 x2; x4};
  x5: i64, x6: i64 = for_loop x0 x1 x2 {x5: i64, x6: i64, x7: i64 -> x8 = add x6 x5; x9 = mul x7 x2; x10 = add x9 x9; x8, x10};
  x7: i64 = while_loop x0 {x7: i64 -> x8: i64 = constant 10; x9 = less x7 x8; x9} {x7: i64 -> x8: i64 = constant 4; x9 = add x7 x8; x9};
  x4, x6, x7}
return %1, %2, %3
)",
                       {ints({3}, {-5, 3, 12})});
    CHECK(results[0] == ints({3}, {5, 4, 13}));
    CHECK(results[1] == ints({3}, {1, 8, 4096}));
    CHECK(results[2] == ints({3}, {11, 11, 12}));
}

TEST_CASE("fold: left to right, init once and first, over any axes") {
    std::string_view subtract = R"(%0 : i64[n0, n0.1] = input
%1 : i64 = input
%2 : i64[n0] = fold [1] (%0) from (%1) {x0: i64, x1: i64 -> x2: i64 = constant 2; x3 = mul x0 x2; x4 = sub x3 x1; x4}
%3 : i64[n0.1] = fold [0] (%0) from (%1) {x0: i64, x1: i64 -> x2: i64 = constant 2; x3 = mul x0 x2; x4 = sub x3 x1; x4}
%4 : i64 = fold [0, 1] (%0) from (%1) {x0: i64, x1: i64 -> x2: i64 = constant 2; x3 = mul x0 x2; x4 = sub x3 x1; x4}
return %2, %3, %4
)";
    auto results = run(subtract, {ints({2, 3}, {1, 2, 3, 4, 5, 6}), ints({}, {100})});
    CHECK(results[0] == ints({2}, {((100 * 2 - 1) * 2 - 2) * 2 - 3, ((100 * 2 - 4) * 2 - 5) * 2 - 6}));
    CHECK(results[1] == ints({3}, {(200 - 1) * 2 - 4, (200 - 2) * 2 - 5, (200 - 3) * 2 - 6}));
    CHECK(results[2] == ints({}, {(((((200 - 1) * 2 - 2) * 2 - 3) * 2 - 4) * 2 - 5) * 2 - 6}));
    auto empty = run(subtract, {ints({2, 0}, {}), ints({}, {7})});
    CHECK(empty[0] == ints({2}, {7, 7}));
    CHECK(empty[1] == ints({0}, {}));
    CHECK(empty[2] == ints({}, {7}));
}

TEST_CASE("fold of tuples, over a middle axis") {
    auto results = run(R"(%0 : i64[n0, n0.1, n0.2] = input
%1 : i64 = input
%2 : i64[n0, n0.2], %3 : i64[n0, n0.2] = fold [1] (%0, %0) from (%1, %1) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = add x0 x2; x5 = maximum x1 x3; x4, x5}
return %2, %3
)",
                       {ints({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), ints({}, {0})});
    CHECK(results[0] == ints({2, 2}, {4, 6, 12, 14}));
    CHECK(results[1] == ints({2, 2}, {3, 4, 7, 8}));
}

TEST_CASE("views") {
    auto results = run(R"(arguments 2
%0 : i64[n0, n0.1] = input
%1 : i64[n0.1, n0] = transpose [1, 0] %0
%2 : i64[n0, (n0.1 - 1)] = slice [(n0 - 1):-1, 1:1] %0
%3 : i64[2, n0, n0.1] = broadcast [1, 2] %0
%4 : i64[(n0 * n0.1)] = reshape %0
%5 : i64[a0, a1] = reshape %0
return %1, %2, %3, %4, %5
)",
                       {ints({2, 3}, {1, 2, 3, 4, 5, 6})}, {3, 2});
    CHECK(results[0] == ints({3, 2}, {1, 4, 2, 5, 3, 6}));
    CHECK(results[1] == ints({2, 2}, {5, 6, 2, 3}));
    CHECK(results[2] == ints({2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
    CHECK(results[3] == ints({6}, {1, 2, 3, 4, 5, 6}));
    CHECK(results[4] == ints({3, 2}, {1, 2, 3, 4, 5, 6}));
}

TEST_CASE("gather of several sources, and force") {
    auto results = run(R"(%0 : i64[n0] = input
%1 : i64[n0] = input
%2 : i64[n2, n2.1] = input
%3 : i64[n2, n2.1] = input
%4 : i64[n0], %5 : i64[n0] = gather (%0, %1) (%2, %3)
%6 : i64[n0] = force (%4)
return %4, %5, %6
)",
                       {ints({3}, {1, 0, 1}), ints({3}, {1, 0, 0}), ints({2, 2}, {1, 2, 3, 4}), ints({2, 2}, {5, 6, 7, 8})});
    CHECK(results[0] == ints({3}, {4, 1, 3}));
    CHECK(results[1] == ints({3}, {8, 5, 7}));
    CHECK(results[2] == results[0]);
}

TEST_CASE("cond and loops over arrays") {
    std::string_view text = R"(%0 : i64[n0] = input
%1 : bool = input
%2 : i64 = input
%3 : i64[n0] = cond %1 {
  return %0
} {
  %3 : i64[n0] = map (%0) {x0: i64 -> x1 = negate x0; x1}
  return %3
}
%4 : i64[n0] = for %2 (%3) {
  %4 : i64 = param
  %5 : i64[n0] = param
  %6 : i64[n0] = map (%5; %4) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  return %6
}
%5 : i64 = while (%2) {
  %5 : i64 = param
  %6 : bool = map (%5) {x0: i64 -> x1: i64 = constant 100; x2 = less x0 x1; x2}
  return %6
} {
  %5 : i64 = param
  %6 : i64 = map (%5) {x0: i64 -> x1 = mul x0 x0; x1}
  return %6
}
return %3, %4, %5
)";
    for (bool condition : {true, false}) {
        ArrayValue flag(Scalar::boolean, {}, std::vector<std::uint64_t>{condition});
        auto results = run(text, {ints({2}, {1, 2}), flag, ints({}, {3})});
        CHECK(results[0] == (condition ? ints({2}, {1, 2}) : ints({2}, {-1, -2})));
        CHECK(results[1] == (condition ? ints({2}, {4, 5}) : ints({2}, {2, 1})));
        CHECK(results[2] == ints({}, {6561}));
    }
}

TEST_CASE("errors name the operation, the values and the site") {
    using Catch::Contains;
    std::string_view gather = R"(%0 : i64[n0] = input
%1 : f32[n1, n1.1] = input
%2 : f32[n0] = gather (%0, %0) (%1)
return %2
)";
    CHECK_THROWS_WITH(run(gather, {ints({1}, {2}), floats({3, 2}, {1, 2, 3, 4, 5, 6})}),
                      Contains("gather") && Contains("index 2") && Contains("axis 1") && Contains("extent 2"));
    try {
        run(gather, {ints({1}, {-1}), floats({3, 2}, {1, 2, 3, 4, 5, 6})});
        FAIL("no error");
    } catch (const IndexError& error) {
        CHECK_THAT(error.what(), Contains("index -1") && Contains("axis 0") && Contains("extent 3"));
        CHECK_THAT(error.where().file_name(), Contains("tests/unit/interp/program.cpp"));
    }
    std::string_view divide = R"(%0 : i64[n0] = input
%1 : i64[n0] = map (%0) {x0: i64 -> x1: i64 = constant 6; x2 = div x1 x0; x2}
return %1
)";
    CHECK(run(divide, {ints({2}, {4, -1})})[0] == ints({2}, {1, -6}));
    CHECK_THROWS_AS(run(divide, {ints({2}, {4, 0})}), DomainError);
    std::string_view slice = R"(arguments 1
%0 : i64[n0] = input
%1 : i64[a0] = slice [1:2] %0
return %1
)";
    CHECK(run(slice, {ints({4}, {1, 2, 3, 4})}, {2})[0] == ints({2}, {2, 4}));
    CHECK_THROWS_AS(run(slice, {ints({4}, {1, 2, 3, 4})}, {3}), ShapeError);
    CHECK_THROWS_AS(run(slice, {ints({4}, {1, 2, 3, 4})}, {-1}), ShapeError);
    CHECK_THROWS_AS(run("%0 : i64[n0] = input\n%1 : i64[3, 2] = reshape %0\nreturn %1\n", {ints({4}, {1, 2, 3, 4})}),
                    ShapeError);
}

TEST_CASE("guards are checked when their sizes are known") {
    std::string_view text = R"(guard n0 = %3 "take: axis 0"
guard n0 = n1 "map: arguments 0 and 1, axis 0"
%0 : i64[n0] = input
%1 : i64[n1] = input
%2 : i64 = input
%3 : i64 = map (%2) {x0: i64 -> x1 = add x0 x0; x1}
%4 : i64[%3] = generate () {x0: i64 -> x0}
return %4
)";
    CHECK(run(text, {ints({2}, {0, 0}), ints({2}, {0, 0}), ints({}, {1})})[0] == ints({2}, {0, 1}));
    CHECK_THROWS_WITH(run(text, {ints({2}, {0, 0}), ints({2}, {0, 0}), ints({}, {2})}), Catch::Contains("take"));
    CHECK_THROWS_WITH(run(text, {ints({2}, {0, 0}), ints({1}, {0}), ints({}, {1})}), Catch::Contains("map: arguments"));
}
