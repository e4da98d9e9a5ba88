// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include "tests/unit/front/build.hpp"

using namespace sinter;

namespace {

const ir::Inst& last_inst(const Delayed<float>& a) { return op_of<front::Map>(a).fn.body.insts.back(); }

/// Parameters of a program being traced, as compile() makes them.
struct Program {
    detail::OpenTrace trace{detail::open_program("compile", location::current())};

    template <class T, int Rank>
    Delayed<T, Rank> array() {
        detail::Leaves<T> leaves;
        leaves.leaf[0] = detail::program_parameter(detail::scalar_v<T>, Rank);
        return Delayed<T, Rank>(std::move(leaves));
    }
    template <class T>
    Exp<T> scalar() {
        return array<T, 0>()();
    }
};

}  // namespace

TEST_CASE("cond on scalars") {
    Array<float> x = from({1.f});
    auto y = map(
        [](auto v) {
            auto w = v * 3;
            return cond(v > 0, [&] { return w + v; }, [&] { return 0; });
        },
        x);
    const ir::Inst& inst = last_inst(y);
    CHECK(inst.op == detail::Op::cond);
    REQUIRE(inst.blocks.size() == 2);
    CHECK(inst.blocks[0].params.empty());
    CHECK(inst.types == std::vector{detail::Scalar::f32});
}

TEST_CASE("loops on scalars") {
    Array<float> x = from({1.f});
    auto counted = map([](auto v) { return for_loop(10, [=](auto i, auto s) { return s + v * cast<float>(i); }, 0.f); }, x);
    const ir::Inst& inst = last_inst(counted);
    CHECK(inst.op == detail::Op::for_loop);
    CHECK(inst.blocks[0].params == std::vector{detail::Scalar::i64, detail::Scalar::f32});
    auto mandelbrot = map(
        [](auto c) {
            auto [z, n] = while_loop([](auto z, auto n) { return z * z < 4 && n < 100; },
                                     [=](auto z, auto n) { return std::tuple(z * z + c, n + 1); }, 0.f, 0);
            return cast<float>(n) + z;
        },
        x);
    bool found = false;
    for (const ir::Inst& one : op_of<front::Map>(mandelbrot).fn.body.insts)
        if (one.op == detail::Op::while_loop) {
            found = true;
            CHECK(one.types == std::vector{detail::Scalar::f32, detail::Scalar::i32});
            CHECK(one.blocks[0].results.size() == 1);
            CHECK(one.blocks[1].results.size() == 2);
        }
    CHECK(found);
    CHECK(nothing_is_traced());
}

TEST_CASE("control flow nests, and inner blocks see outer locals") {
    Array<float> x = from({1.f});
    auto y = map(
        [](auto v) {
            return for_loop(
                3,
                [=](auto i, auto s) {
                    auto t = s + v;
                    return cond(
                        i % 2 == 0,
                        [&] { return for_loop(2, [=](auto j, auto u) { return u + t * cast<float>(i + j); }, t); },
                        [&] { return s; });
                },
                0.f);
        },
        x);
    CHECK(last_inst(y).op == detail::Op::for_loop);
}

TEST_CASE("control flow on arrays is nodes with scopes") {
    Array<float> x = from({1.f, 2.f});
    auto y = for_loop(5, [](auto i, Delayed<float> a) { return a + cast<float>(i); }, x);
    auto& loop = op_of<front::Loop>(y);
    CHECK(loop.counted);
    CHECK(std::get<front::Literal>(loop.count.node->op).bits == 5);
    CHECK(loop.body.params.size() == 2);
    CHECK(shape_of(y) == std::vector<std::int64_t>{2});
    auto& body = std::get<front::Map>(loop.body.results[0].node->op);
    CHECK(body.captures.scalars.size() == 1);  // cast(i), made in the scope

    auto [z, n] = while_loop([](auto a, auto k) { return sum(a)() > 0 && k < 10; },
                             [](auto a, auto k) { return std::tuple(a - 1, k + 1); }, x, 0);
    auto& repeat = op_of<front::Loop>(z);
    CHECK(repeat.inits.size() == 2);
    CHECK(leaf_of(n).result == 1);
    static_assert(std::is_same_v<decltype(n), Delayed<int, 0>>);

    auto c = cond(sum(x) > 0, [&] { return x + 1; }, [&] { return x * 2; });
    CHECK(op_of<front::Cond>(c).then.params.empty());
    CHECK(shape_of(c) == std::vector<std::int64_t>{2});
    CHECK(nothing_is_traced());
}

TEST_CASE("a loop's state that changes its extent") {
    Array<float> x = from({1.f, 2.f, 3.f});
    int calls = 0;
    auto shorter = [&](auto, Delayed<float> a, Delayed<float> b) {
        ++calls;
        return std::tuple(take(a, size(a) - 1), b + 1);
    };
    auto [a, b] = for_loop(2, shorter, x, x);
    CHECK(calls == 2);
    const auto& loop = op_of<front::Loop>(a);
    CHECK(shape_of(a) == std::vector<std::int64_t>{front::unknown});
    CHECK(shape_of(b) == std::vector<std::int64_t>{3});
    CHECK(front::type_of({loop.body.params[1], 0}).shape == std::vector<std::int64_t>{front::unknown});
    CHECK(front::type_of({loop.body.params[2], 0}).shape == std::vector<std::int64_t>{3});
    CHECK(nothing_is_traced());
}

TEST_CASE("a state takes over an extent that changes") {
    Array<float> x = from({1.f, 2.f, 3.f});
    int calls = 0;
    auto body = [&](auto, auto b, auto c) {
        ++calls;
        return std::tuple(b, take(c, 1), c);
    };
    auto go_on = [](auto a, auto, auto) { return size(a) > 1; };
    auto [a, b, c] = while_loop(go_on, body, x, x, x);
    CHECK(calls == 3);
    CHECK(shape_of(a) == std::vector<std::int64_t>{front::unknown});
    CHECK(shape_of(b) == std::vector<std::int64_t>{front::unknown});
    CHECK(shape_of(c) == std::vector<std::int64_t>{3});
    CHECK(nothing_is_traced());
}

TEST_CASE("of a cond, extents that differ from side to side are not known") {
    Array<float, 2> x = from({1.f, 2.f, 3.f, 4.f}, shape(2, 2));
    auto either = cond(sum(flatten(x)) > 0, [&] { return x + 1; }, [&] { return slice(x, all, range(0, 1)); });
    CHECK(shape_of(either) == std::vector<std::int64_t>{2, front::unknown});
    CHECK(nothing_is_traced());
}

TEST_CASE("scalars of a program are arrays of rank 0") {
    Program program;
    auto grid = program.array<float, 2>();
    auto dt = program.scalar<float>();
    auto y = map([=](auto v) { return v * dt + (dt - 1); }, grid);
    auto& node = op_of<front::Map>(y);
    CHECK(node.captures.scalars.size() == 1);
    CHECK(std::holds_alternative<front::Parameter>(node.captures.scalars[0].node->op));
    CHECK(shape_of(y) == std::vector<std::int64_t>{front::unknown, front::unknown});

    auto twice = dt * 2;
    auto w = map([=](auto v) { return v * twice; }, grid);
    auto& scalar = std::get<front::Map>(op_of<front::Map>(w).captures.scalars[0].node->op);
    CHECK(scalar.args.size() == 1);
    CHECK(scalar.fn.body.insts.size() == 2);  // 2 and the product

    Exp<float> one = 1;
    CHECK(op_of<front::Map>(map([=](auto v) { return v + one; }, grid)).captures.scalars.empty());
    auto chosen = cond(dt > 0, [&] { return dt * 3; }, [&] { return 0; });
    auto filled = fill(shape(extent(grid, 1), 4), chosen);
    CHECK(std::holds_alternative<front::Cond>(op_of<front::Map>(filled).captures.scalars[0].node->op));
    auto& sizes = op_of<front::Map>(filled).shape;
    CHECK(std::holds_alternative<front::ExtentOf>(std::get<front::Leaf>(sizes[0]).node->op));
    CHECK(std::get<std::int64_t>(sizes[1]) == 4);
    auto s = for_loop(3, [=](auto i, auto total) { return total + dt * cast<float>(i); }, 0.f);
    CHECK(op_of<front::Map>(grid * s).captures.scalars.size() == 1);
    CHECK(catch_error([&] { grid.shape(); }).contains("extent(a, k)"));
    CHECK(catch_error([&] { detail::forbid_tracing("run", location::current()); }).contains("the program of compile"));
}

TEST_CASE("sizes follow arrays of unknown extents") {
    Program program;
    auto v = program.array<float, 1>();
    auto rest = drop(v, 1);
    auto& slice = op_of<front::Slice>(rest);
    auto& size = std::get<front::Map>(std::get<front::Leaf>(slice.extent[0]).node->op);
    CHECK(std::holds_alternative<front::ExtentOf>(size.args[0].node->op));
    auto n = program.scalar<std::int64_t>();
    auto part = op_of<front::Slice>(sinter::slice(v, range(0, n, 2)));
    CHECK(std::holds_alternative<front::Leaf>(part.extent[0]));
    CHECK(shape_of(v + v) == std::vector<std::int64_t>{front::unknown});
    CHECK(shape_of(v + iota<float>(3)) == std::vector<std::int64_t>{3});
}
