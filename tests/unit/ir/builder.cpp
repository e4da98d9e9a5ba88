// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/builder.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"

#include <catch2/catch.hpp>

#include <chrono>

using namespace sinter::ir;

TEST_CASE("builder: numbers locals and infers types", "[ir]") {
    BlockBuilder b;
    Local x = b.open({Scalar::f32, Scalar::f32});
    Local y(x.index + 1);
    Local sum = b.emit(Op::add, {x, y});
    Local less = b.emit(Op::less, {sum, y});
    CHECK(b.type(less) == Scalar::boolean);
    Local picked = b.emit(Op::select, {less, x, y});
    CHECK(print(b.close({picked})) == "{x0: f32, x1: f32 -> x2 = add x0 x1; x3 = less x2 x1; x4 = select x3 x0 x1; x4}");
    CHECK(b.depth() == 0);
    CHECK(b.level() == 0);
}

TEST_CASE("builder: equal instructions are shared while they are visible", "[ir]") {
    BlockBuilder b;
    Local x = b.open({Scalar::f32});
    Local twice = b.emit(Op::add, {x, x});
    CHECK(b.emit(Op::add, {x, x}) == twice);
    CHECK(b.constant(Scalar::f32, 0) == b.constant(Scalar::f32, 0));
    CHECK(b.constant(Scalar::f32, 0) != b.constant(Scalar::i32, 0));
    b.open({});
    CHECK(b.emit(Op::add, {x, x}) == twice);
    Local inner = b.emit(Op::mul, {x, x});
    b.close({inner});
    Local outer = b.emit(Op::mul, {x, x});
    CHECK(b.emit(Op::mul, {x, x}) == outer);
    Block block = b.close({outer});
    CHECK(block.insts.size() == 4);
    CHECK(block.insts.back().op == Op::mul);

    BlockBuilder plain(false);
    x = plain.open({Scalar::f32});
    CHECK(plain.emit(Op::add, {x, x}) != plain.emit(Op::add, {x, x}));
}

TEST_CASE("builder: misuse is an internal error", "[ir]") {
    BlockBuilder b;
    CHECK_THROWS_AS(b.emit(Op::add, {Local(0), Local(0)}), sinter::Error);
    Local x = b.open({Scalar::f32, Scalar::i32});
    CHECK_THROWS_AS(b.emit(Op::add, {x, Local(1)}), sinter::InternalError);
    CHECK_THROWS_AS(b.emit(Inst{Op::negate, {Scalar::f32}, 0, {Local(2)}, {}}), sinter::InternalError);
    CHECK_THROWS_AS(b.close({Local(5)}), sinter::InternalError);
}

TEST_CASE("builder: inline_block renames, nested blocks included", "[ir]") {
    Fn fn = parse_fn(
        "{x0: f32, x1: bool -> x2: f32 = constant 2; "
        "x3: f32 = cond x1 {-> x3 = mul x0 x2; x3} {-> x0}; x4 = add x3 x0; x4}");
    BlockBuilder b;
    b.open({Scalar::boolean, Scalar::f32, Scalar::f32});
    Local sum = b.emit(Op::add, {Local(1), Local(2)});
    std::vector<Local> results = inline_block(b, fn.body, {sum, Local(0)});
    std::string inlined =
        "{x0: bool, x1: f32, x2: f32 -> x3 = add x1 x2; x4: f32 = constant 2; "
        "x5: f32 = cond x0 {-> x5 = mul x3 x4; x5} {-> x3}; x6 = add x5 x3; x6}";
    CHECK(print(b.close(results)) == print(parse_fn(inlined)));
}

TEST_CASE("builder: inline_block offers instructions to be rewritten", "[ir]") {
    Fn fn = parse_fn("{x0: f32 -> x1 = exp x0; x2 = add x1 x1; x2}");
    BlockBuilder b;
    Local x = b.open({Scalar::f32});
    auto square = [](BlockBuilder& to, const Inst& inst) -> std::optional<Local> {
        if (inst.op != Op::exp) return std::nullopt;
        return to.emit(Op::mul, {inst.operands[0], inst.operands[0]});
    };
    CHECK(print(b.close(inline_block(b, fn.body, {x}, square))) == "{x0: f32 -> x1 = mul x0 x0; x2 = add x1 x1; x2}");
}

TEST_CASE("builder: sharing is not quadratic", "[ir]") {
    auto milliseconds = [](int count) {
        auto start = std::chrono::steady_clock::now();
        BlockBuilder b;
        Local x = b.open({Scalar::f32, Scalar::f32});
        for (int i = 0; i < count; ++i) x = b.emit(i % 2 == 0 ? Op::add : Op::mul, {x, Local(i % 3 == 0 ? 0 : 1)});
        b.close({x});
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    };
    milliseconds(1000);
    CHECK(milliseconds(100000) < 20000);  // some 20 ms; quadratic: minutes
}

TEST_CASE("builder: canonical forgets the order of independent operands", "[ir]") {
    Fn left = parse_fn("{x0: f32, x1: f32 -> x2 = mul x0 x0; x3 = negate x1; x4 = sub x2 x3; x4}");
    Fn right = parse_fn("{x0: f32, x1: f32 -> x2 = negate x1; x3 = mul x0 x0; x4 = sub x3 x2; x4}");
    CHECK(left != right);
    CHECK(canonical(left) == left);
    CHECK(canonical(right) == left);
}

TEST_CASE("builder: canonical drops what is not needed", "[ir]") {
    Fn fn = parse_fn("{@0: f32^1, x0: i64 -> x1: f32 = read @0 x0; x2: f32 = constant 1; x3 = add x2 x2; x2}");
    CHECK(print(canonical(fn)) == "{@0: f32^1, x0: i64 -> x1: f32 = constant 1; x1}");
}

TEST_CASE("builder: canonical keeps instructions in their blocks and orders what blocks need before them", "[ir]") {
    Fn fn = parse_fn(
        "{x0: f32, x1: bool -> x2 = negate x0; x3 = mul x0 x0; "
        "x4: f32 = cond x1 {-> x4 = add x0 x0; x5 = mul x4 x3; x5} {-> x2}; x5 = add x4 x3; x5}");
    Fn expected = parse_fn(
        "{x0: f32, x1: bool -> x2 = mul x0 x0; x3 = negate x0; "
        "x4: f32 = cond x1 {-> x4 = add x0 x0; x5 = mul x4 x2; x5} {-> x3}; x5 = add x4 x2; x5}");
    CHECK(print(canonical(fn)) == print(expected));
}

TEST_CASE("builder: canonical does not recurse over long chains", "[ir]") {
    BlockBuilder b;
    Local x = b.open({Scalar::f32});
    for (int i = 0; i < 300000; ++i) x = b.emit(Op::add, {x, Local(0)});
    Fn fn{{}, b.close({x})};
    CHECK(canonical(fn) == fn);
}

TEST_CASE("builder: as_single_op", "[ir]") {
    CHECK(as_single_op(parse_fn("{x0: f32, x1: f32 -> x2 = add x0 x1; x2}")) == Op::add);
    CHECK(as_single_op(parse_fn("{x0: f32, x1: f32 -> x2 = add x1 x0; x2}")) == Op::add);
    CHECK(as_single_op(parse_fn("{x0: f32, x1: f32 -> x2 = sub x0 x1; x2}")) == Op::sub);
    CHECK_FALSE(as_single_op(parse_fn("{x0: f32, x1: f32 -> x2 = sub x1 x0; x2}")));
    CHECK_FALSE(as_single_op(parse_fn("{x0: f32, x1: f32 -> x2 = add x0 x0; x2}")));
    CHECK_FALSE(as_single_op(parse_fn("{x0: f32, x1: f32 -> x2 = add x0 x1; x0}")));
    CHECK_FALSE(as_single_op(parse_fn("{x0: f32 -> x1 = negate x0; x1}")));
    CHECK_FALSE(as_single_op(parse_fn("{x0: f32, x1: f32, x2: f32 -> x3 = add x0 x1; x3}")));
}

TEST_CASE("builder: result_types", "[ir]") {
    CHECK(result_types(parse_fn("{x0: f32, x1: i64 -> x2 = less x0 x0; x2, x1, x0}")) ==
          std::vector{Scalar::boolean, Scalar::i64, Scalar::f32});
}
