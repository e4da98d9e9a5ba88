// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/verify.hpp"

#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sinter;
using Catch::Contains;

namespace {

/// One of everything. Buffer 3 begins as a copy of buffer 0; buffer 5 is local.
const std::string head = R"(kernel k
size s0 = a0
size s1 = (s0 + s0)
buffer 0 : f32[s0] in
buffer 1 : i64[s0] in
buffer 2 : f32[s0] out
buffer 3 : f32[s0] out of 0
buffer 4 : i64[s0] out
buffer 5 : f32[s0] local
check 0 : index 0
check 1 : divisor
check 2 : length
check 3 : total
check 4 : expect 8
check 5 : print 16 : f32
space s0
)";

const std::string everything = R"({x0: i64 ->
  x1: i64 = size #0;
  x2 = check_index #0 x0 x1;
  x3: f32 = load #0 x2;
  x4: i64 = load #1 x2;
  x5 = check_divisor #1 x4;
  x6: f32 = constant 1;
  x7 = mul contract x3 x6;
  store #5 x0 x7;
  x8: f32 = load #5 x0;
  x9: f32 = reduce #1 x1 x6 {x9: i64 -> x10: f32 = load #0 x9; x10} {x9: f32, x10: f32 -> x11 = add x9 x10; x11};
  for_each #1 x1 {x10: i64 -> store #2 x10 x6;};
  update #3 x0 x8 {x10: f32, x11: f32 -> x12 = add x10 x11; x12};
  x10 = less x0 x1;
  x11: bool = expect #4 x10 x0;
  x12: bool = print #5 x0 x4;
})";

void check_refused(const std::string& text, const char* invariant) {
    INFO(text);
    CHECK_THROWS_WITH(lower::verify(lower::parse(text)), Contains(invariant));
}

void check_body_refused(const std::string& body, const char* invariant) { check_refused(head + body, invariant); }

}  // namespace

TEST_CASE("a kernel with one of everything is accepted") { CHECK_NOTHROW(lower::verify(lower::parse(head + everything))); }

TEST_CASE("kernels that violate an invariant are refused") {
    check_body_refused("{x0: i64, x1: i64 ->}", "K1");
    check_body_refused("{x0: i64 -> x0}", "K1");
    check_body_refused("{x0: i64 -> x1: f32 = load #0 x0; x2 = exp x1;}", "K2");
    check_body_refused("{x0: i64 -> x1: i32 = load #0 x0;}", "K5");
    check_body_refused("{x0: i64 -> x1: f32 = load #2 x0;}", "K5");
    check_body_refused("{x0: i64 -> x1: f32 = load #9 x0;}", "K5");
    check_body_refused("{x0: i64 -> x1: f32 = constant 1; store #0 x0 x1;}", "K5");
    check_body_refused("{x0: i64 -> x1: f32 = constant 1; store #4 x0 x1;}", "K5");
    check_body_refused("{x0: i64 -> x1 = check_index #1 x0 x0;}", "K7");
    check_body_refused("{x0: i64 -> x1 = check_divisor #0 x0;}", "K7");
    check_body_refused("{x0: i64 -> x1 = check_divisor #2 x0;}", "K7");
    check_body_refused("{x0: i64 -> x1: bool = expect #4 x0 x0;}", "K7");
    check_body_refused("{x0: i64 -> x1 = less x0 x0; x2: bool = expect #5 x1 x0;}", "K7");
    check_body_refused("{x0: i64 -> x1: bool = print #5 x0;}", "K7");
    check_body_refused("{x0: i64 -> x1: bool = print #4 x0 x0;}", "K7");
    lower::verify(lower::parse(head + "{x0: i64 -> x1 = check_index #2 x0 x0; x2 = check_index #3 x1 x0;}"));
    check_body_refused(
        "{x0: i64 -> x1: i64 = size #0; x2: f32 = constant 1; "
        "update #2 x0 x2 {x3: f32, x4: f32 -> x5 = add x3 x4; x5};}",
        "K12");
}

TEST_CASE("tables that violate an invariant are refused") {
    using ir::Scalar;
    const lower::Kernel good = lower::parse(head + "{x0: i64 ->}");
    CHECK_NOTHROW(lower::verify(good));
    auto refused = [&](auto change, const char* invariant) {
        lower::Kernel bad = good;
        change(bad);
        CHECK_THROWS_WITH(lower::verify(bad), Contains(invariant));
    };
    refused([](lower::Kernel& k) { k.space[0] = ir::SizeId(7); }, "K6");
    refused([](lower::Kernel& k) { k.nonempty.push_back(ir::SizeId(7)); }, "K6");
    refused([](lower::Kernel& k) { k.buffers[0].elements = ir::SizeId(7); }, "K6");
    refused([](lower::Kernel& k) { k.buffers[3].dest = 2; }, "K8");
    refused([](lower::Kernel& k) { k.buffers[3].dest = 1; }, "K8");
    refused([](lower::Kernel& k) { k.buffers[2].local = true; }, "K8");
    refused([](lower::Kernel& k) { k.body.insts.push_back({ir::Op::constant, {Scalar::u8}, 256, {}, {}}); }, "K3");
    refused(
        [](lower::Kernel& k) { k.body.insts.push_back({ir::Op::add, {Scalar::i64}, 1, {ir::Local(0), ir::Local(0)}, {}}); },
        "K3");
    refused(
        [](lower::Kernel& k) { k.body.insts.push_back({ir::Op::add, {Scalar::f32}, 0, {ir::Local(0), ir::Local(0)}, {}}); },
        "K2");
    refused([](lower::Kernel& k) { k.body.insts.push_back({ir::Op::size, {Scalar::i64}, 9, {}, {}}); }, "K6");
    refused([](lower::Kernel& k) { k.body.insts.push_back({ir::Op::read, {Scalar::f32}, 0, {ir::Local(0)}, {}}); }, "K2");
}

TEST_CASE("loops of kernels that violate an invariant are refused") {
    using ir::Block, ir::Inst, ir::Local, ir::Op, ir::Scalar;
    const lower::Kernel good = lower::parse(head + "{x0: i64 -> x1: f32 = constant 1;}");
    const Block element{{Scalar::i64}, {}, {Local(1)}}, sum{{Scalar::f32, Scalar::f32}, {}, {Local(2)}};
    const Block nothing{{Scalar::i64}, {}, {}}, shown{{Scalar::i64, Scalar::f32}, {}, {}};
    const Inst reduce{Op::reduce, {Scalar::f32}, 1, {Local(0), Local(1)}, {element, sum}};
    const Inst each{Op::for_each, {}, 1, {Local(0)}, {nothing}};
    const Inst scan{Op::scan, {Scalar::f32}, 1, {Local(0), Local(1)}, {element, sum, shown}};
    const Inst compact{Op::compact, {Scalar::i64}, 4, {Local(0)}, {}};
    auto verify = [&](Inst inst) {
        lower::Kernel kernel = good;
        kernel.body.insts.push_back(std::move(inst));
        lower::verify(kernel);
    };
    for (const Inst& inst : {reduce, each, scan}) CHECK_NOTHROW(verify(inst));
    auto refused = [&](Inst inst, auto change, const char* invariant) {
        change(inst);
        CHECK_THROWS_WITH(verify(std::move(inst)), Contains(invariant));
    };
    refused(reduce, [](Inst& i) { i.bits = 2; }, "K9");
    refused(reduce, [](Inst& i) { i.bits = 0; }, "K9");
    refused(reduce, [](Inst& i) { i.blocks.pop_back(); }, "K9");
    refused(reduce, [&](Inst& i) { i.blocks[1] = element; }, "K9");
    refused(reduce, [](Inst& i) { i.blocks[0].results.clear(); }, "K9");
    refused(each, [](Inst& i) { i.types.push_back(Scalar::f32); }, "K10");
    refused(each, [&](Inst& i) { i.blocks[0] = shown; }, "K10");
    refused(scan, [](Inst& i) { i.bits = 2; }, "K11");
    refused(scan, [](Inst& i) { i.operands.pop_back(), i.bits = 1 | 1 << 8; }, "K11");
    refused(scan, [&](Inst& i) { i.blocks[2] = nothing; }, "K11");
    refused(compact, [](Inst&) {}, "K12");
    refused(compact, [&](Inst& i) { i.blocks = {element}; }, "K12");
}
