// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/math/expand.hpp"

#include "interp/function.hpp"
#include "ir/builder.hpp"
#include "ir/math/definition.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>

using namespace sinter::ir;

namespace {

std::size_t count(const Block& block, Op op) {
    std::size_t n = 0;
    for (const Inst& inst : block.insts) {
        n += inst.op == op;
        for (const Block& nested : inst.blocks) n += count(nested, op);
    }
    return n;
}

Fn sine_and_cosine() {
    BlockBuilder b;
    Local x = b.open({Scalar::f32}), s = b.emit(Op::sin, {x}), c = b.emit(Op::cos, {x});
    return {{}, b.close({b.emit(Op::mul, {s, c})})};
}

std::uint64_t evaluate(const Fn& fn, float x) {
    std::vector<std::uint64_t> results, arguments = {std::bit_cast<std::uint32_t>(x)};
    sinter::interp::FunctionMachine(fn, {})(arguments, results);
    return results.at(0);
}

}  // namespace

TEST_CASE("sin x and cos x share the range reduction") {
    Fn both = expand_math(sine_and_cosine());
    std::size_t sine = definition(Op::sin, Scalar::f32).body.insts.size();
    CHECK(count(both.body, Op::cond) == 1);
    CHECK(both.body.insts.size() < sine + 15);
}

TEST_CASE("expansion is idempotent and leaves nothing behind") {
    Fn once = expand_math(sine_and_cosine());
    CHECK_FALSE(has_math(once.body));
    CHECK(expand_math(once) == once);
}

TEST_CASE("a function without math operations is not changed") {
    BlockBuilder b;
    Local x = b.open({Scalar::f64});
    Fn fn{{}, b.close({b.emit(Op::sqrt, {b.emit(Op::add, {x, x})})})};
    CHECK(expand_math(fn) == fn);
}

TEST_CASE("math operations inside nested blocks and loops are expanded in place") {
    // for 3 times: x = sin x if x > 0 else exp x
    BlockBuilder b;
    Local x = b.open({Scalar::f32}), n = b.constant_index(3);
    Local i = b.open({Scalar::i64, Scalar::f32}), state(i.index + 1);
    Local positive = b.emit(Op::greater, {state, b.constant(Scalar::f32, 0)});
    b.open({});
    Block then = b.close({b.emit(Op::sin, {state})});
    b.open({});
    Block otherwise = b.close({b.emit(Op::exp, {state})});
    Local next = b.emit(Inst{Op::cond, {Scalar::f32}, 0, {positive}, {then, otherwise}});
    Block body = b.close({next});
    Local result = b.emit(Inst{Op::for_loop, {Scalar::f32}, 0, {n, x}, {body}});
    Fn fn{{}, b.close({result})}, expanded = expand_math(fn);
    REQUIRE_FALSE(has_math(expanded.body));

    for (float start : {-3.0f, 0.5f, 1e10f, -0.0f}) {
        std::uint64_t want = std::bit_cast<std::uint32_t>(start);
        for (int k = 0; k < 3; ++k) {
            float value = std::bit_cast<float>(static_cast<std::uint32_t>(want));
            want = evaluate(definition(value > 0 ? Op::sin : Op::exp, Scalar::f32), value);
        }
        CHECK(evaluate(expanded, start) == want);
    }
}
