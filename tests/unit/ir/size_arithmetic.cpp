// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that do not fit 64 bits.
#include "ir/sizes/size_arithmetic.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace sinter::ir;

namespace {

constexpr std::int64_t most = huge - 1, half = std::int64_t{1} << 62, root = std::int64_t{1} << 32;

}  // namespace

TEST_CASE("sums, differences and products that do not fit are huge", "[sizes]") {
    CHECK(sizes::add(half, half - 2) == most);
    CHECK(sizes::add(half, half) == huge);
    CHECK(sizes::add(-half - 1, -half) == -huge);
    CHECK(sizes::sub(-half - 1, half) == -huge);
    CHECK(sizes::sub(half, -half) == huge);
    CHECK(sizes::sub(0, INT64_MIN) == huge);
    CHECK(sizes::mul(root / 2, root - 1) == root / 2 * (root - 1));
    CHECK(sizes::mul(root, root) == huge);
    CHECK(sizes::mul(root, -root) == -huge);
    CHECK(sizes::ceil_div(most, 2) == half - 1);
    CHECK(sizes::ceil_div(most, most) == 1);
    CHECK(sizes::ceil_div(-3, 2) == -1);
    CHECK(sizes::ceil_div(3, 0) == 0);
}

TEST_CASE("what is computed from a huge size is huge, unless it is multiplied by 0", "[sizes]") {
    CHECK(sizes::add(huge, -5) == huge);
    CHECK(sizes::sub(5, huge) == -huge);
    CHECK(sizes::sub(huge, 5) == huge);
    CHECK(sizes::mul(huge, -2) == -huge);
    CHECK(sizes::mul(huge, 0) == 0);
    CHECK(sizes::ceil_div(huge, 2) == huge);
    CHECK(apply(Size::Kind::minimum, huge, 3) == 3);
    CHECK_FALSE(sizes::equal(huge, huge));
    CHECK(sizes::equal(most, most));
}

TEST_CASE("numbers of elements do not depend on the order of extents", "[sizes]") {
    CHECK(sizes::product(std::array{root, root, std::int64_t{0}}) == 0);
    CHECK(sizes::product(std::array{std::int64_t{0}, root, root}) == 0);
    CHECK(sizes::product(std::array{root, root}) == huge);
    CHECK(sizes::product({}) == 1);
    CHECK(describe_bad_shape(std::array{root, root}) == "an array of 4294967296 x 4294967296 elements, 2^63 or more");
    CHECK(describe_bad_shape(std::array{root, std::int64_t{-1}}) == "an extent is -1, less than 0");
    CHECK(describe_bad_shape(std::array{root, root, std::int64_t{0}}).empty());
}

TEST_CASE("constants of a table are folded unless the result is huge", "[sizes]") {
    SizeTable table;
    const SizeId n = table.argument(0), big = table.constant(half);
    auto value = [&](SizeId id, std::int64_t of_n) { return evaluate(table, [&](const Size&) { return of_n; })[id.index]; };
    CHECK(value(table.add(big, big), 0) == huge);
    CHECK(value(table.mul(big, table.constant(4)), 0) == huge);
    CHECK(value(table.add(table.add(n, big), big), 1) == huge);
    CHECK(value(table.mul(table.mul(n, big), table.constant(4)), 0) == 0);
    CHECK(value(table.sub(n, table.constant(INT64_MIN)), 1) == huge);
    CHECK(value(table.sub(table.add(n, big), big), 5) == 5);
}
