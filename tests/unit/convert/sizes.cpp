// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/sizes.hpp"
#include "tests/unit/convert/graphs.hpp"

#include <catch2/catch.hpp>

using namespace graphs;
using convert::Equalities;
using convert::SizeId;
using Outcome = Equalities::Outcome;

namespace {

/// Parameters x, y, ... of rank 1 and unknown extents.
Leaf unknown_array(std::uint32_t position) { return parameter(Scalar::f32, {front::unknown}, position); }

std::size_t guards(const Leaves& roots, const std::vector<NodeRef>& parameters = {}) {
    return converted(roots, parameters).program.body.guards.size();
}

}  // namespace

TEST_CASE("sizes: unified symbols are one", "[convert]") {
    Equalities e;
    SizeId a = e.table.input_extent(0, 0), b = e.table.input_extent(1, 0), k = e.table.argument(0);
    CHECK(e.unify(b, k).outcome == Outcome::assumed);
    CHECK(e.unify(a, b).outcome == Outcome::assumed);
    CHECK(e.unify(k, a).outcome == Outcome::proved);
    CHECK(e.resolve(k) == a);
    CHECK(e.resolve(e.table.add(k, e.table.constant(1))) == e.table.add(a, e.table.constant(1)));
}

TEST_CASE("sizes: an extent is replaced by the expression it must equal, an expression by what it occurs in", "[convert]") {
    Equalities e;
    SizeId a = e.table.input_extent(0, 0), b = e.table.input_extent(1, 0);
    SizeId less = e.table.sub(a, e.table.constant(2));
    CHECK(e.unify(b, less).outcome == Outcome::assumed);
    CHECK(e.resolve(b) == less);
    SizeId sum = e.table.add(a, e.table.argument(0));
    CHECK(e.unify(a, sum).outcome == Outcome::assumed);
    CHECK(e.resolve(sum) == a);
}

TEST_CASE("sizes: equal summands cancel", "[convert]") {
    Equalities e;
    SizeId a = e.table.input_extent(0, 0), b = e.table.input_extent(1, 0), two = e.table.constant(2);
    CHECK(e.unify(e.table.sub(a, two), e.table.sub(b, two)).outcome == Outcome::assumed);
    CHECK(e.resolve(b) == a);
    CHECK(e.unify(e.table.constant(2), e.table.constant(3)).outcome == Outcome::contradiction);
}

TEST_CASE("sizes: an extent of an input never becomes a value", "[convert]") {
    Equalities e;
    SizeId a = e.table.input_extent(0, 0), v = e.table.value(ir::ValueId(7)), w = e.table.value(ir::ValueId(9));
    e.unify(a, e.table.add(v, e.table.constant(1)));
    CHECK(e.resolve(a) == a);
    CHECK(e.resolve(e.table.add(v, e.table.constant(1))) == a);
    e.unify(v, w);
    CHECK(e.resolve(w) == v);
}

TEST_CASE("sizes: extents of arrays used together are unified, with a guard", "[convert]") {
    Leaf x = unknown_array(0), y = unknown_array(1), z = unknown_array(2);
    CHECK(text({x + y + z + y}, {x.node, y.node, z.node}) ==
          "guard n1 = n0 \"map: arguments 0 and 1, axis 0\"\n"
          "guard n2 = n0 \"map: arguments 0 and 1, axis 0\"\n"
          "%0 : f32[n0] = input\n%1 : f32[n0] = input\n%2 : f32[n0] = input\n"
          "%3 : f32[n0] = map (%0, %1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n"
          "%4 : f32[n0] = map (%3, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n"
          "%5 : f32[n0] = map (%4, %1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n"
          "return %5\n");
}

TEST_CASE("sizes: known extents that differ are an error at once", "[convert]") {
    Leaf x = input({4}), y = input({5});
    try {
        text({x + y});
        FAIL("no error");
    } catch (const ShapeError& error) {
        CHECK_THAT(error.what(), Catch::Contains("map: arguments 0 and 1, axis 0"));
        CHECK_THAT(error.what(), Catch::Contains("4 and 5") || Catch::Contains("5 and 4"));
        CHECK(std::string(error.where().file_name()).find("graphs.hpp") != std::string::npos);
    }
}

TEST_CASE("sizes: equal literals are one size argument", "[convert]") {
    auto result = converted({iota(1000, 1000), iota(1000, 1000), iota(7, 7)});
    CHECK(result.size_arguments == std::vector<std::int64_t>{1000, 7});
    CHECK(result.program.size_arguments == 2);
    CHECK(text({iota(5, 5)}) == text({iota(6, 6)}));
}

TEST_CASE("sizes: a size that is a scalar of the program", "[convert]") {
    Leaf n = parameter(Scalar::i64);
    CHECK(text({iota(n)}, {n.node}) ==
          "guard max(%0, 0) = %0 \"generate: a negative extent\"\n"
          "%0 : i64 = input\n%1 : i64[%0] = generate () {x0: i64 -> x0}\nreturn %1\n");
}

TEST_CASE("sizes: arithmetic on sizes is symbolic and leaves no trace", "[convert]") {
    Leaf x = unknown_array(0);
    Leaf half =
        map("{x0: i64 -> x1: i64 = constant 2; x2 = div x0 x1; x3: i64 = constant 1; x4 = add x2 x3; x4}", {extent(x, 0)});
    CHECK(text({iota(half)}, {x.node}) ==
          "size s0 = ceil_div((n0 - 1), 2)\nsize s1 = (s0 + 1)\n%0 : f32[n0] = input\n"
          "%1 : i64[s1] = generate () {x0: i64 -> x0}\nreturn %1\n");
}

TEST_CASE("sizes: literals are arguments of the program, but divisors are part of it", "[convert]") {
    Leaf x = unknown_array(0);
    Leaf blocks = map("{x0: i64 -> x1: i64 = constant 1024; x2 = div x0 x1; x2}", {extent(x, 0)});
    CHECK(text({iota(blocks)}, {x.node}) ==
          "size s0 = ceil_div((n0 - 1023), 1024)\n%0 : f32[n0] = input\n"
          "%1 : i64[s0] = generate () {x0: i64 -> x0}\nreturn %1\n");
    Leaf bytes = map("{x0: i64 -> x1: i64 = constant 1024; x2 = mul x0 x1; x2}", {extent(x, 0)});
    CHECK(converted({iota(bytes)}, {x.node}).size_arguments == std::vector<std::int64_t>{1024});
}

TEST_CASE("sizes: an extent as data is an operation, as a size it is not", "[convert]") {
    Leaf x = unknown_array(0), n = extent(x, 0);
    CHECK(text({n}, {x.node}) ==
          "%0 : f32[n0] = input\n%1 : i64 = map (; ; %0) {@0: f32^1 -> x0 = extent @0^0; x0}\nreturn %1\n");
    CHECK(text({iota(n)}, {x.node}) == "%0 : f32[n0] = input\n%1 : i64[n0] = generate () {x0: i64 -> x0}\nreturn %1\n");
}

TEST_CASE("sizes: slices of unknown extents are guarded, of known ones not", "[convert]") {
    Leaf x = unknown_array(0);
    CHECK(guards({slice(x, 2, 5)}, {x.node}) == 1);
    Leaf y = input({10});
    CHECK(guards({slice(y, 2, 5)}) == 0);
    CHECK(guards({slice(y, 9, 10, -1)}) == 0);
    CHECK_THROWS_AS(text({slice(y, 6, 5)}), ShapeError);
    CHECK_THROWS_AS(text({slice(y, 8, 10, -1)}), ShapeError);
    CHECK(text({slice(y, 0, 10)}) == "%0 : f32[n0] = input\n%1 : f32[n0] = slice [0:1] %0\nreturn %1\n");
}

TEST_CASE("sizes: inner parts of two arrays are equal if the arrays are", "[convert]") {
    Leaf x = unknown_array(0), y = unknown_array(1);
    auto inner = [](const Leaf& a) {
        return slice(a, 1, map("{x0: i64 -> x1: i64 = constant 2; x2 = sub x0 x1; x2}", {extent(a, 0)}));
    };
    auto result = converted({inner(x) + inner(y)}, {x.node, y.node});
    CHECK(result.program.body.params[0] == result.program.body.params[1]);
}

TEST_CASE("sizes: reshape and flatten", "[convert]") {
    Leaf x = input({6}), grid = node(front::Reshape{x, {std::int64_t(2), std::int64_t(3)}}, Scalar::f32, {2, 3});
    Leaf flat = node(front::Flatten{grid}, Scalar::f32, {6});
    CHECK(text({flat + x}) ==
          "arguments 2\nguard n0 = (a0 * a1) \"reshape: number of elements\"\n"
          "%0 : f32[(a0 * a1)] = input\n%1 : f32[a0, a1] = reshape %0\n%2 : f32[(a0 * a1)] = reshape %1\n"
          "%3 : f32[(a0 * a1)] = map (%2, %0) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %3\n");
    CHECK_THROWS_AS(text({node(front::Reshape{x, {std::int64_t(4)}}, Scalar::f32, {4})}), ShapeError);
}

TEST_CASE("sizes: a loop's state keeps its extent if that is proved", "[convert]") {
    Leaf x = unknown_array(0), y = unknown_array(1), i = parameter(Scalar::i64),
         s = parameter(Scalar::f32, {front::unknown});
    auto changing = [&](const Leaf& init, const Leaf& next) {
        auto result = converted({for_loop(literal(Scalar::i64, 3), init, i, s, next)}, {x.node, y.node});
        return std::get<ir::Loop>(result.program.body.bindings.back().op).changing.size();
    };
    CHECK(changing(x, negate(s)) == 0);
    CHECK(changing(x, s + y) == 0);
    CHECK(changing(x, negate(y)) == 1);
    Leaf z = input({4});
    CHECK(changing(z, slice(s, 0, 3)) == 1);
    CHECK(changing(z, slice(negate(input({6})), 0, 4)) == 0);
}

TEST_CASE("sizes: an extent that changes is a variable of the loop", "[convert]") {
    Leaf x = unknown_array(0), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {front::unknown});
    Leaf less = map("{x0: i64 -> x1: i64 = constant 1; x2 = sub x0 x1; x2}", {extent(s, 0)});
    Leaf loop = for_loop(literal(Scalar::i64, 3), x, i, s, slice(s, 0, less));
    const std::string made = text({negate(loop)}, {x.node});
    CHECK_THAT(made, Catch::Contains("%2 : i64, %3 : f32[%2] = for %1 (%0) changing [0:0] {"));
    CHECK_THAT(made, Catch::Contains("  %2 : i64 = param\n  %3 : i64 = param\n  %4 : f32[%3] = param\n"));
    CHECK_THAT(made, Catch::Contains("  %5 : f32[(%3 - 1)] = slice [0:1] %4\n  return %5\n"));
    CHECK_THAT(made, Catch::Contains("guard s0 = (%3 - 1) \"slice: a negative extent\""));
    CHECK_THAT(made, Catch::Contains("%4 : f32[%2] = map (%3)"));
}

TEST_CASE("sizes: states that change together, loops in loops", "[convert]") {
    Leaf x = unknown_array(0), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {front::unknown}),
         j = parameter(Scalar::i64), t = parameter(Scalar::f32, {front::unknown});
    Leaf half = slice(t, 0, divide(extent(t, 0), literal(Scalar::i64, 2)));
    Leaf inner = for_loop(i, s, j, t, half);
    auto result = converted({for_loop(literal(Scalar::i64, 3), x, i, s, inner)}, {x.node});
    const auto& outer = std::get<ir::Loop>(result.program.body.bindings.back().op);
    REQUIRE(outer.changing.size() == 1);
    CHECK(std::get<ir::Loop>(outer.bodies[0].bindings.back().op).changing.size() == 1);
}

TEST_CASE("sizes: what does not fit an extent thought to be kept", "[convert]") {
    Leaf z = input({4}), i = parameter(Scalar::i64), s = parameter(Scalar::f32, {front::unknown}), y = input({3});
    auto result = converted({for_loop(literal(Scalar::i64, 3), z, i, s, s + y)});
    const auto& loop = std::get<ir::Loop>(result.program.body.bindings.back().op);
    REQUIRE(loop.bodies[0].guards.size() == 1);
    CHECK(loop.bodies[0].guards[0].message == "map: arguments 0 and 1, axis 0");
}

TEST_CASE("sizes: values that must be equal, computed by the program", "[convert]") {
    Leaf x = parameter(Scalar::i64, {}, 0), p = parameter(Scalar::f32, {}, 1);
    Leaf v = divide(x, x), w = divide(v, x);
    auto of = [&](const Leaf& n) { return generate("{x0: i64, x1: f32 -> x1}", {n}, {front::unknown}, {{p}, {}}); };
    auto result = converted({of(v) + of(w)}, {x.node, p.node});
    REQUIRE(result.program.body.guards.size() == 3);
    CHECK(result.program.body.guards[2].message == "map: arguments 0 and 1, axis 0");
}

TEST_CASE("sizes: what makes extents equal is computed before the program's branches", "[convert]") {
    Leaf x = unknown_array(0), c = parameter(Scalar::boolean, {}, 1), v = parameter(Scalar::i64, {}, 2);
    Leaf size = divide(v, v), part = map("{x0: f32, x1: i64 -> x0}", {x, iota(size)});
    auto result = converted({cond(c, part, x)}, {x.node, c.node, v.node});
    REQUIRE(result.program.body.guards.size() == 1);
    CHECK(result.program.body.guards[0].message == "map: arguments 0 and 1, axis 0");
    CHECK(std::holds_alternative<ir::Map>(result.program.body.bindings[0].op));
    const auto& branches = std::get<ir::Cond>(result.program.body.bindings[1].op);
    REQUIRE(branches.bodies[0].guards.size() == 1);
    CHECK(branches.bodies[0].guards[0].message == "generate: a negative extent");
}

TEST_CASE("sizes: what depends on a loop's parameter is guarded in its body", "[convert]") {
    Leaf x = unknown_array(0), i = parameter(Scalar::i64), s = parameter(Scalar::f32), y = input({});
    Leaf ok = sum(generate("{x0: i64 -> x1: f32 = cast x0; x1}", {i}, {front::unknown}));
    CHECK(guards({for_loop(literal(Scalar::i64, 3), y, i, s, s + ok)}) == 0);
    Leaf unknown_part = sum(slice(x, 0, i));
    auto result = converted({for_loop(literal(Scalar::i64, 3), y, i, s, s + unknown_part)}, {x.node});
    CHECK(result.program.body.guards.empty());
    const auto& loop = std::get<ir::Loop>(result.program.body.bindings.back().op);
    REQUIRE(loop.bodies[0].guards.size() == 1);
    CHECK(loop.bodies[0].guards[0].message == "slice: out of range, axis 0");
}

TEST_CASE("sizes: what a guard of a branch needs is computed in the branch, in loops too", "[convert]") {
    Leaf x = unknown_array(0), i = parameter(Scalar::i64), s = parameter(Scalar::f32), y = input({});
    Leaf c = parameter(Scalar::boolean, {}, 1), half = divide(i, i), part = sum(slice(x, 0, half));
    auto result = converted({for_loop(literal(Scalar::i64, 3), y, i, s, cond(c, part, s))}, {x.node, c.node});
    const auto& body = std::get<ir::Loop>(result.program.body.bindings.back().op).bodies[0];
    CHECK(body.guards.empty());
    REQUIRE(std::holds_alternative<ir::Cond>(body.bindings[0].op));
    const ir::Body& branch = std::get<ir::Cond>(body.bindings[0].op).bodies[0];
    CHECK(branch.guards.size() >= 1);
    CHECK(std::holds_alternative<ir::Map>(branch.bindings[0].op));
}
