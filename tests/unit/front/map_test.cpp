// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include "tests/unit/front/build.hpp"

using namespace sinter;

namespace {

struct Particle {
    float x, y, mass;
};

/// The function of the map node behind a.
template <ArrayLike A>
std::string fn_of(const A& a) {
    return ir::print(op_of<front::Map>(a).fn);
}

}  // namespace

BOOST_HANA_ADAPT_STRUCT(Particle, x, y, mass);

TEST_CASE("map records its function once, in canonical form") {
    Array<float> x = from({1.f, 2.f, 3.f});
    int calls = 0;
    auto y = map([&](auto v) { return ++calls, v * 2 + v; }, x);
    CHECK(calls == 1);
    auto& node = op_of<front::Map>(y);
    CHECK(node.args.size() == 1);
    CHECK(node.args[0].node.get() == leaf_of(x).node.get());
    CHECK_FALSE(node.indexed);
    CHECK(shape_of(y) == std::vector<std::int64_t>{3});
    CHECK(node.fn.body.insts.size() == 3);
    auto same = map(
        [&](auto v) {
            auto two = v * 2;
            return two + v;
        },
        x);
    CHECK(node.fn == op_of<front::Map>(same).fn);
}

TEST_CASE("operands meet as the reference says") {
    Array<std::int8_t> a = from(std::vector<std::int8_t>{1, 2});
    Array<float> f = from({1.f, 2.f});
    static_assert(std::is_same_v<decltype(a + a), Delayed<std::int8_t>>);
    static_assert(std::is_same_v<decltype(a + 1000), Delayed<std::int8_t>>);
    static_assert(std::is_same_v<decltype(a + f), Delayed<float>>);
    static_assert(std::is_same_v<decltype(f < 2), Delayed<bool>>);
    static_assert(std::is_same_v<decltype(cast<half>(f) + f), Delayed<float>>);
    CHECK(front::type_of(leaf_of(a + a)).scalar == detail::Scalar::i8);
    CHECK(fn_of(a + 1000) == fn_of(a + -24));  // literals wrap
    auto error = catch_error([&] { a + 0.5; });
    CHECK(error.kind == ErrorKind::usage);
    CHECK(error.contains("0.5 is no i8"));
    CHECK(fn_of(a + 2.0) == fn_of(a + 2));
}

TEST_CASE("products are arrays of their leaves") {
    Array<Particle> ps = from(std::vector<Particle>{{1, 2, 3}, {4, 5, 6}});
    auto moved =
        map([](Exp<Particle> p) { return record<Particle>(field<&Particle::x>(p) + 1, p.get<1>(), p.get<2>()); }, ps);
    static_assert(std::is_same_v<decltype(moved), Delayed<Particle>>);
    auto& node = op_of<front::Map>(moved);
    CHECK(node.args.size() == 3);
    CHECK(node.fn.result_count() == 3);
    CHECK(leaf_of(moved, 2).node.get() == leaf_of(moved, 0).node.get());
    CHECK(leaf_of(moved, 2).result == 2);

    auto mass = field<&Particle::mass>(ps);
    CHECK(leaf_of(mass).node.get() == leaf_of(ps, 2).node.get());
    auto [x, y, m] = unzip(moved);
    CHECK(leaf_of(y).result == 1);
}

TEST_CASE("a function of n parameters takes the components of tuples") {
    Array<float> x = from({1.f}), y = from({2.f});
    auto direct = map([](auto a, auto b) { return a - b; }, x, y);
    auto zipped = map([](auto a, auto b) { return a - b; }, zip(x, y));
    CHECK(fn_of(direct) == fn_of(zipped));
    auto whole = map(
        [](auto p) {
            auto [a, b] = p;
            return a - b;
        },
        zip(x, y));
    CHECK(fn_of(direct) == fn_of(whole));
    auto typed = map([](Exp<float> a, Exp<float> b) { return a - b; }, zip(x, y));
    CHECK(fn_of(direct) == fn_of(typed));
    CHECK(fn_of(map(std::minus<>{}, x, y)) == fn_of(direct));
}

TEST_CASE("functions may return literals and tuples") {
    Array<float> x = from({1.f});
    static_assert(std::is_same_v<decltype(map([](auto) { return 1; }, x)), Delayed<int>>);
    auto t = map([](auto v) { return std::pair(v, std::tuple(true, v < 0)); }, x);
    static_assert(std::is_same_v<decltype(t), Delayed<std::pair<float, std::tuple<bool, bool>>>>);
    CHECK(op_of<front::Map>(t).fn.result_count() == 3);
    CHECK(op_of<front::Map>(map([](auto) { return 1; }, x)).args.size() == 1);
}

TEST_CASE("index parameters come first") {
    Array<float, 2> m = from(std::vector<float>(6), shape(2, 3));
    auto y = map_indexed([](auto i, auto j, auto v) { return cast<float>(i - j) + v; }, m);
    auto& node = op_of<front::Map>(y);
    CHECK(node.indexed);
    CHECK(node.fn.body.params == std::vector{detail::Scalar::i64, detail::Scalar::i64, detail::Scalar::f32});

    auto g = generate(shape(4, 5), [](auto i, auto j) { return i * 10 + j; });
    CHECK(shape_of(g) == std::vector<std::int64_t>{4, 5});
    CHECK(op_of<front::Map>(g).args.empty());
    CHECK(shape_of(fill(shape(7), 1.f)) == std::vector<std::int64_t>{7});
    CHECK(op_of<front::Map>(iota(3)).fn.body.insts.empty());
}

TEST_CASE("arrays read inside a function are captured once") {
    Array<float> x = from({1.f, 2.f});
    Array<float, 0> s = from(std::vector{3.f}, shape());
    auto y = map([=](auto i) { return x(i) + x(i + 1) + s() * s() + cast<float>(size(x)); }, iota(1));
    auto& node = op_of<front::Map>(y);
    CHECK(node.captures.arrays.size() == 1);
    CHECK(node.captures.scalars.size() == 1);
    CHECK(node.captures.scalars[0].node.get() == leaf_of(s).node.get());
    CHECK(node.fn.arrays.size() == 1);
    CHECK(node.fn.body.params.size() == 2);
}

TEST_CASE("an extent is read where it comes from") {
    Array<float, 2> m = from(std::vector<float>(6), shape(2, 3));
    auto far = transpose(map([](auto v) { return v + 1; }, reverse(m)));
    auto y = map([=](auto i) { return i + extent(far, 0); }, iota(1));
    auto& node = op_of<front::Map>(y);
    CHECK(node.captures.arrays.size() == 1);
    CHECK(node.captures.arrays[0].node.get() == leaf_of(m).node.get());
    CHECK(node.fn.body.insts[0].bits == 1);  // slot 0, axis 1
}

TEST_CASE("operators on arrays take arrays of rank 0, which are captured") {
    Array<float> x = from({1.f, 2.f});
    auto y = x / sum(x);
    auto& node = op_of<front::Map>(y);
    CHECK(node.args.size() == 1);
    CHECK(node.captures.scalars.size() == 1);
    auto s = sum(x) + 1;
    CHECK(op_of<front::Map>(s).args.size() == 1);
    CHECK(shape_of(s).empty());
}

TEST_CASE("one array is one node, however it is reached") {
    Array<float> x = from({1.f, 2.f});
    Array<float> copy = x;
    Delayed<float> d = x, e = copy;
    auto y = d + e;
    auto& node = op_of<front::Map>(y);
    CHECK(node.args[0].node.get() == node.args[1].node.get());
}
