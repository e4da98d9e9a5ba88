// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/op.hpp"

#include <catch2/catch.hpp>

using namespace sinter::ir;

TEST_CASE("ops: names are unique and found", "[ir]") {
    for (int i = 0; i <= static_cast<int>(Op::for_each); ++i)
        CHECK(find_op(info(static_cast<Op>(i)).name) == static_cast<Op>(i));
    CHECK_FALSE(find_op("nonsense"));
    CHECK_FALSE(find_op(""));
}

TEST_CASE("ops: result types follow the table", "[ir]") {
    auto type = [](Op op, std::vector<Scalar> operands, Scalar own = Scalar::boolean) {
        return result_type(op, operands, own);
    };
    using S = Scalar;
    CHECK(type(Op::add, {S::u8, S::u8}) == S::u8);
    CHECK_FALSE(type(Op::add, {S::boolean, S::boolean}));
    CHECK_FALSE(type(Op::add, {S::u8, S::i8}));
    CHECK_FALSE(type(Op::add, {S::u8}));
    CHECK_FALSE(type(Op::sqrt, {S::i32}));
    CHECK_FALSE(type(Op::bit_and, {S::f32, S::f32}));
    CHECK(type(Op::bit_and, {S::boolean, S::boolean}) == S::boolean);
    CHECK(type(Op::less, {S::f64, S::f64}) == S::boolean);
    CHECK_FALSE(type(Op::less, {S::boolean, S::boolean}));
    CHECK(type(Op::equal, {S::boolean, S::boolean}) == S::boolean);
    CHECK(type(Op::select, {S::boolean, S::f16, S::f16}) == S::f16);
    CHECK_FALSE(type(Op::select, {S::i8, S::f16, S::f16}));
    CHECK(type(Op::cast, {S::f32}, S::i64) == S::i64);
    CHECK(type(Op::bit_cast, {S::f32}, S::u32) == S::u32);
    CHECK_FALSE(type(Op::bit_cast, {S::f32}, S::u64));
    CHECK_FALSE(type(Op::bit_cast, {S::u8}, S::boolean));
}

TEST_CASE("ops: which can fail", "[ir]") {
    CHECK(may_fail(Op::div, Scalar::i32));
    CHECK_FALSE(may_fail(Op::div, Scalar::f32));
    CHECK(may_fail(Op::rem, Scalar::u8));
    CHECK(may_fail(Op::read, Scalar::f32));
    CHECK_FALSE(may_fail(Op::add, Scalar::i32));
    CHECK(is_pure(Op::exp));
    CHECK_FALSE(is_pure(Op::div));
    CHECK(is_pure(Op::div, Scalar::f32));
    CHECK_FALSE(is_pure(Op::div, Scalar::i32));
    CHECK_FALSE(is_pure(Op::store));
    CHECK(is_commutative(Op::add));
    CHECK_FALSE(is_commutative(Op::sub));
}
