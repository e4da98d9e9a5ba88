// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/unit/convert/graphs.hpp"

#include <catch2/catch.hpp>

#include <bit>

using namespace graphs;

TEST_CASE("convert: the example of the seed", "[convert]") {
    // let inc = (+) 1 in let nine = let three = inc 2 in three * three in inc nine - nine
    Leaf one = input({}), two = input({});
    auto inc = [&](const Leaf& a) { return one + a; };
    Leaf three = inc(two), nine = three * three;
    Leaf root = map("{x0: f32, x1: f32 -> x2 = sub x0 x1; x2}", {inc(nine), nine});
    CHECK(text({root}) ==
          "%0 : f32 = input\n%1 : f32 = input\n"
          "%2 : f32 = map (%0, %1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n"
          "%3 : f32 = map (%2, %2) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}\n"
          "%4 : f32 = map (%0, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n"
          "%5 : f32 = map (%4, %3) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}\n"
          "return %5\n");
}

TEST_CASE("convert: inputs are numbered by first use, with their buffers", "[convert]") {
    BufferRef b = buffer(), c = buffer();
    Leaf y = input({3}, Scalar::f32, c), x = input({3}, Scalar::f32, b), again = input({3}, Scalar::f32, b);
    auto result = converted({x + y, again});
    REQUIRE(result.arguments.size() == 2);
    CHECK(std::get<convert::ArrayArgument>(result.arguments[0]) == convert::ArrayArgument{b, {3}});
    CHECK(std::get<convert::ArrayArgument>(result.arguments[1]) == convert::ArrayArgument{c, {3}});
    CHECK(result.program.body.results[1] == ir::ValueId(0));
}

TEST_CASE("convert: graphs of one structure are one text, in whatever order they were built", "[convert]") {
    Leaf x = input({3}), y = input({3}), a = negate(x), b = y * y, first = a + b;
    Leaf u = input({8}), v = input({8}), d = u * u, c = negate(v), second = c + d;
    CHECK(text({first}) == text({second}));
    CHECK(text({first, a}) == text({second, c}));
    CHECK(text({first, a}) != text({second, d}));
    Leaf unshared = negate(v) + u * u;
    CHECK(text({first, a}) != text({unshared, negate(v)}));
}

TEST_CASE("convert: unused parameters of a compiled function are no inputs", "[convert]") {
    Leaf n = parameter(Scalar::i64, {}, 0), x = parameter(Scalar::f32, {front::unknown}, 1),
         y = parameter(Scalar::f32, {-1}, 2);
    auto result = converted({negate(y) + x}, {n.node, x.node, y.node});
    REQUIRE(result.arguments.size() == 2);
    CHECK(std::get<convert::ParameterArgument>(result.arguments[0]).position == 2);
    CHECK(std::get<convert::ParameterArgument>(result.arguments[1]).position == 1);
}

TEST_CASE("convert: cond", "[convert]") {
    Leaf c = input({}, Scalar::boolean), x = input({4}), shared = x * x;
    CHECK(text({cond(c, negate(shared), shared + x)}) ==
          "%0 : bool = input\n%1 : f32[n1] = input\n"
          "%2 : f32[n1] = map (%1, %1) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}\n"
          "%3 : f32[n1] = cond %0 {\n"
          "  %3 : f32[n1] = map (%2) {x0: f32 -> x1 = negate x0; x1}\n  return %3\n} {\n"
          "  %3 : f32[n1] = map (%2, %1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n  return %3\n}\nreturn %3\n");
}

TEST_CASE("convert: loops", "[convert]") {
    Leaf x = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {4});
    CHECK(text({negate(for_loop(input({}, Scalar::i64), x, i, s, s + x * x))}) ==
          "%0 : i64 = input\n%1 : f32[n1] = input\n"
          "%2 : f32[n1] = map (%1, %1) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}\n"
          "%3 : f32[n1] = for %0 (%1) {\n  %3 : i64 = param\n  %4 : f32[n1] = param\n"
          "  %5 : f32[n1] = map (%4, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n  return %5\n}\n"
          "%4 : f32[n1] = map (%3) {x0: f32 -> x1 = negate x0; x1}\nreturn %4\n");
    Leaf tested = parameter(Scalar::f32), state = parameter(Scalar::f32), init = input({}), limit = input({});
    Leaf less = map("{x0: f32, x1: f32 -> x2 = less x0 x1; x2}", {tested, limit});
    CHECK(text({while_loop(init, tested, less, state, state + state)}) ==
          "%0 : f32 = input\n%1 : f32 = input\n%2 : f32 = while (%0) {\n  %2 : f32 = param\n"
          "  %3 : bool = map (%2, %1) {x0: f32, x1: f32 -> x2 = less x0 x1; x2}\n  return %3\n} {\n  %2 : f32 = param\n"
          "  %3 : f32 = map (%2, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n  return %3\n}\nreturn %2\n");
}

TEST_CASE("convert: views", "[convert]") {
    Leaf x = input({4, 6}), t = node(front::Transpose{x, {1, 0}}, Scalar::f32, {6, 4});
    Leaf r = node(front::Reverse{t, {1}}, Scalar::f32, {6, 4}), f = node(front::Flatten{r}, Scalar::f32, {24});
    Leaf b = node(front::Broadcast{f, {1}, {std::int64_t(3)}}, Scalar::f32, {3, 24});
    CHECK(text({b}) ==
          "arguments 1\n%0 : f32[n0, n0.1] = input\n%1 : f32[n0.1, n0] = transpose [1, 0] %0\n"
          "%2 : f32[n0.1, n0] = slice [0:1, (n0 - 1):-1] %1\n%3 : f32[(n0 * n0.1)] = reshape %2\n"
          "%4 : f32[a0, (n0 * n0.1)] = broadcast [1] %3\nreturn %4\n");
}

TEST_CASE("convert: gather, force and operations of several results", "[convert]") {
    Leaf i = input({5}, Scalar::i64), a = input({9}), b = input({9}, Scalar::i32);
    front::NodeOp op = front::Gather{{i}, {a, b}};
    NodeRef g = front::make_node(op, {{Scalar::f32, {5}}, {Scalar::i32, {5}}}, location::current());
    NodeRef f =
        front::make_node(front::Force{{{g, 1}, {g, 0}}}, {{Scalar::i32, {5}}, {Scalar::f32, {5}}}, location::current());
    CHECK(text({{f, 1}}) ==
          "guard n2 = n1 \"gather: sources 0 and 1, axis 0\"\n"
          "%0 : i64[n0] = input\n%1 : f32[n1] = input\n%2 : i32[n1] = input\n"
          "%3 : f32[n0], %4 : i32[n0] = gather (%0) (%1, %2)\n%5 : i32[n0], %6 : f32[n0] = force (%4, %3)\nreturn %6\n");
}

TEST_CASE("convert: literals are inputs if lifted, and shared", "[convert]") {
    const char* scaled = "{x0: f32 -> x1: f32 = constant 2.5; x2 = mul x0 x1; x2}";
    Leaf x = input({3}),
         by_literal = map("{x0: f32, x1: f32 -> x2 = mul x0 x1; x2}", {sum(x), literal(Scalar::f32, 0x40200000)});
    auto result = converted({map(scaled, {x}), by_literal, map(scaled, {x})}, {}, true);
    REQUIRE(result.arguments.size() == 2);
    CHECK(std::get<convert::LiteralArgument>(result.arguments[1]) == convert::LiteralArgument{Scalar::f32, 0x40200000});
    const char* other = "{x0: f32 -> x1: f32 = constant 3.5; x2 = mul x0 x1; x2}";
    CHECK(text({map(scaled, {x})}, {}, true) == text({map(other, {x})}, {}, true));
    CHECK(text({map(scaled, {x})}) != text({map(other, {x})}));
    CHECK(converted({map(scaled, {x})}).arguments.size() == 1);
}

TEST_CASE("convert: sites are the calls the bindings came from", "[convert]") {
    Leaf x = input({3});
    auto here = location::current();
    Leaf y = map("{x0: f32 -> x1 = negate x0; x1}", {x}, {}, here);
    auto result = converted({y, sum(y)});
    const auto& bindings = result.program.body.bindings;
    REQUIRE(bindings.size() == 3);
    CHECK(result.program.sites[bindings[0].site.index].where.line() == here.line());
    CHECK(bindings[2].site.valid());
    CHECK(bindings[2].site != bindings[0].site);
}

TEST_CASE("convert: no roots, roots that are inputs, one root twice", "[convert]") {
    CHECK(text({}) == text({}));
    Leaf x = input({3}), y = negate(x);
    CHECK(text({x}) == "%0 : f32[n0] = input\nreturn %0\n");
    CHECK(converted({y, y, x}).program.body.results ==
          std::vector<ir::ValueId>{ir::ValueId(1), ir::ValueId(1), ir::ValueId(0)});
}
