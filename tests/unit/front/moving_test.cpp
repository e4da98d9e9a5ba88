// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of scans, filters, scatters, sorts, stencils, vmap and concatenation.
#include <catch2/catch.hpp>

#include "tests/unit/front/build.hpp"

using namespace sinter;

namespace {

using Extents = std::vector<std::int64_t>;
Array<float> vector(std::int64_t n = 5) { return from(std::vector<float>(static_cast<std::size_t>(n))); }
Array<float, 2> matrix() { return from(std::vector<float>(12), shape(3, 4)); }

}  // namespace

TEST_CASE("scans") {
    auto m = matrix();
    auto s = exclusive_scan(std::plus<>{}, 0.f, m, from_right, axis(0));
    CHECK(shape_of(s) == Extents{3, 4});
    auto& op = op_of<front::Scan>(s);
    CHECK((op.axis == 0 && op.exclusive && op.reverse && !op.totals && op.inits.size() == 1));
    CHECK(op_of<front::Scan>(inclusive_scan(std::plus<>{}, m)).inits.empty());
    auto [before, total] = scan_with_total(std::plus<>{}, 0.f, m);
    CHECK(shape_of(total) == Extents{3});
    CHECK(leaf_of(before).node.get() == leaf_of(total).node.get());
    CHECK(catch_error([&] { inclusive_scan(std::plus<>{}, m, axis(2)); }).kind == ErrorKind::usage);
}

TEST_CASE("filters have unknown extents") {
    auto x = vector();
    auto kept = filter([](auto v) { return v > 0; }, x);
    CHECK(shape_of(kept) == Extents{front::unknown});
    CHECK(leaf_of(kept).result == 1);
    CHECK(catch_error([&] { kept.shape(); }).contains("not known before it is computed"));
    CHECK(catch_error([&] { compact(x > 0, vector(4)); }).kind == ErrorKind::shape);
}

TEST_CASE("scatters and sorts") {
    auto x = vector();
    auto s = scatter(std::plus<>{}, x, iota(3), vector(3));
    CHECK(shape_of(s) == Extents{5});
    CHECK((op_of<front::Scatter>(s).drops && op_of<front::Scatter>(s).op));
    CHECK_FALSE(op_of<front::Scatter>(scatter(x, iota(3), vector(3))).op);
    CHECK_FALSE(op_of<front::Scatter>(update(x, index(1), 2.f)).drops);
    CHECK(catch_error([&] { scatter(x, iota(4), vector(3)); }).kind == ErrorKind::shape);
    auto [keys, values] = sort_by_key(zip(x, x), iota(5), descending);
    CHECK((op_of<front::Sort>(values).keys == 2 && op_of<front::Sort>(values).descending));
    CHECK(leaf_of(values).result == 2);
}

TEST_CASE("stencils share neighbours") {
    auto m = matrix();
    auto s = stencil([](auto n) { return n(0, 1) * n(0, 1) + 1.f; }, boundary::wrap, m);
    auto& map = op_of<front::Map>(s);
    REQUIRE(map.args.size() == 1);
    CHECK(std::get<front::Shift>(map.args[0].node->op).offset == Extents{0, 1});
    CHECK(map.fn.body.params.size() == 1);
    auto own = stencil([](auto n) { return n(0, 0); }, boundary::wrap, m);
    CHECK(op_of<front::Map>(own).args[0].node.get() == leaf_of(m).node.get());
    auto padded = stencil([](auto n) { return n(0, 1); }, boundary::constant(2), m);
    CHECK(std::holds_alternative<front::Pad>(op_of<front::Map>(padded).args[0].node->op));
    CHECK(op_of<front::Map>(stencil([](auto) { return 1; }, boundary::clamp, m)).args.size() == 1);
    CHECK(nothing_is_traced());
}

TEST_CASE("vmap gives slices") {
    auto m = matrix();
    auto s = vmap([](Delayed<float> row, Exp<float> v) { return row * v; }, m, vector(3));
    CHECK(shape_of(s) == Extents{3, 4});
    CHECK(op_of<front::Vmap>(s).args.size() == 2);
    CHECK(catch_error([&] { vmap([](auto row, auto v) { return row * v; }, m, vector(4)); }).kind == ErrorKind::shape);
    CHECK(catch_error([&] { vmap([](auto) -> Exp<float> { throw UsageError("no", location()); }, m); }).contains("no"));
    CHECK(nothing_is_traced());
}

TEST_CASE("concatenation, rotation and padding know their shapes") {
    auto m = matrix();
    CHECK(shape_of(concat(m, m, m)) == Extents{9, 4});
    CHECK(shape_of(concat(m, m, -1)) == Extents{3, 8});
    CHECK(shape_of(rotate(m, -7)) == Extents{3, 4});
    CHECK(shape_of(pad(m, {{1, 2}, {0, 1}}, 0.f)) == Extents{6, 5});
    CHECK(catch_error([&] { concat(m, transpose(m)); }).kind == ErrorKind::shape);
    CHECK(catch_error([&] { rotate(m, 1, 2); }).kind == ErrorKind::usage);
}

TEST_CASE("an array that is given up is left empty") {
    auto x = vector();
    update(std::move(x), index(0), 1.f);
    CHECK(catch_error([&] { sum(x); }).kind == ErrorKind::usage);
}
