// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include <complex>

#include "tests/unit/front/build.hpp"

using namespace sinter;

namespace {

Array<float, 3> cube() { return from(std::vector<float>(24), shape(2, 3, 4)); }
using Axes_ = std::vector<std::size_t>;
using Extents = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a fold removes axes") {
    auto c = cube();
    auto inner = fold(std::plus<>{}, 0.f, c);
    CHECK(op_of<front::Fold>(inner).axes == Axes_{2});
    CHECK(shape_of(inner) == Extents{2, 3});
    auto first = fold(std::plus<>{}, 0.f, c, axis(0));
    CHECK(shape_of(first) == Extents{3, 4});
    auto two = fold(std::plus<>{}, 0.f, c, axes(-1, 0));
    CHECK(op_of<front::Fold>(two).axes == Axes_{0, 2});
    CHECK(shape_of(two) == Extents{3});
    auto every = fold_all(std::plus<>{}, 0.f, c);
    static_assert(std::is_same_v<decltype(every), Delayed<float, 0>>);
    CHECK(op_of<front::Fold>(every).axes == Axes_{0, 1, 2});
}

TEST_CASE("commutative operators are recognised") {
    auto c = cube();
    auto commutative = [](const auto& a, std::size_t leaf = 0) { return op_of<front::Fold>(a, leaf).commutative; };
    CHECK(commutative(fold(std::plus<>{}, 0.f, c)));
    CHECK(commutative(fold([](auto a, auto b) { return min(b, a); }, 0.f, c)));
    CHECK_FALSE(commutative(fold([](auto a, auto b) { return a - b; }, 0.f, c)));
    CHECK_FALSE(commutative(fold([](auto a, auto b) { return a + b * 2; }, 0.f, c)));
    CHECK_FALSE(commutative(fold([](auto, auto b) { return b; }, 0.f, c)));
    CHECK_FALSE(commutative(fold([](auto a, auto) { return a + a; }, 0.f, c)));
    auto z = zip(flatten(c), flatten(c));
    CHECK(
        commutative(fold([](auto a, auto x, auto b, auto y) { return std::tuple(a + b, max(x, y)); }, std::tuple(0, 0), z)));
    CHECK_FALSE(
        commutative(fold([](auto a, auto x, auto b, auto y) { return std::tuple(a + y, x + b); }, std::tuple(0, 0), z)));
    for (bool named : {commutative(sum(c)), commutative(product(c)), commutative(max(c)), commutative(argmin(c)),
                       commutative(any(c < 0)), commutative(all(c < 0)), commutative(count(c < 0))})
        CHECK(named);
}

TEST_CASE("initial values") {
    auto c = cube();
    auto literal = [](const front::Leaf& leaf) { return std::get<front::Literal>(leaf.node->op).bits; };
    CHECK(literal(op_of<front::Fold>(fold(std::plus<>{}, 1, c)).inits[0]) == 0x3f800000);
    CHECK(literal(op_of<front::Fold>(min(c)).inits[0]) == 0x7f800000);
    CHECK(literal(op_of<front::Fold>(max(cast<std::int8_t>(c))).inits[0]) == 0x80);
    CHECK(literal(op_of<front::Fold>(min(cast<std::uint16_t>(c))).inits[0]) == 0xffff);
    auto started = fold(std::plus<>{}, sum(flatten(c)), flatten(c));
    CHECK(std::holds_alternative<front::Fold>(op_of<front::Fold>(started).inits[0].node->op));
}

TEST_CASE("reductions have the documented types") {
    auto c = cube();
    static_assert(std::is_same_v<decltype(sum(c)), Delayed<float, 2>>);
    static_assert(std::is_same_v<decltype(mean(iota(3))), Delayed<double, 0>>);
    static_assert(std::is_same_v<decltype(argmax(c, axes(1, 2))), Delayed<std::int64_t, 1>>);
    static_assert(std::is_same_v<decltype(count(c < 0)), Delayed<std::int64_t, 2>>);
    static_assert(std::is_same_v<decltype(sum(Delayed<std::complex<double>>())), Delayed<std::complex<double>, 0>>);
    CHECK(op_of<front::Fold>(fold1([](auto a, auto b) { return a - b; }, c)).inits.size() == 2);
}

TEST_CASE("reductions of nothing that need something are errors") {
    Array<float, 2> empty = from(std::vector<float>(), shape(3, 0));
    for (auto error : {catch_error([&] { min(empty); }), catch_error([&] { argmax(empty); }),
                       catch_error([&] { fold1(std::plus<>{}, empty); }), catch_error([&] { max(empty, axes(0, 1)); })})
        CHECK(error.kind == ErrorKind::shape);
    CHECK(shape_of(min(empty, axis(0))) == Extents{0});
    CHECK(shape_of(sum(empty)) == Extents{3});
}
