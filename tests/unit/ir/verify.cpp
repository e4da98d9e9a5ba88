// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every invariant of ir/verify/verify.hpp, violated once.
#include "ir/verify/verify.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"

#include <catch2/catch.hpp>

#include <functional>

using namespace sinter::ir;
using sinter::InternalError;

namespace {

template <class Subject>
std::string violation(const Subject& subject) {
    try {
        verify(subject);
    } catch (const InternalError& error) {
        return error.what();
    }
    return "no violation";
}

/// The function `text` after `damage` violates `invariant`; before, none.
void damaged_fn(const char* text, const std::string& invariant, const std::function<void(Fn&)>& damage) {
    Fn fn = parse_fn(text);
    CHECK(violation(fn) == "no violation");
    damage(fn);
    CHECK_THAT(violation(fn), Catch::Contains(": " + invariant + ":"));
}

void damaged(const char* text, const std::string& invariant, const std::function<void(Program&)>& damage) {
    Program program = parse(text);
    CHECK(violation(program) == "no violation");
    damage(program);
    CHECK_THAT(violation(program), Catch::Contains(": " + invariant + ":"));
}

template <class Op>
Op& op_of(Program& program, std::size_t binding = 0) {
    return std::get<Op>(program.body.bindings[binding].op);
}

const char* const add = "{x0: f32, x1: f32 -> x2 = add x0 x1; x2}";
const char* const scalar_cond = "{x0: bool, x1: f32 -> x2: f32 = cond x0 {-> x2 = negate x1; x2} {-> x1}; x2}";
const char* const scalar_while = "{x0: f32 -> x1: f32 = while_loop x0 {x1: f32 -> x2 = less x1 x0; x2} {x1: f32 -> x1}; x1}";
const char* const scalar_for = "{x0: i64, x1: f32 -> x2: f32 = for_loop x0 x1 {x2: i64, x3: f32 -> x3}; x2}";
const char* const reads = "{@0: f32^2, x0: i64 -> x1: f32 = read @0 x0 x0; x2 = extent @0^1; x1, x2}";

const char* const map =
    "%0 : f32[n0] = input\n%1 : f32 = input\n%2 : f32[n0] = map (%0; %1; %0) "
    "{@0: f32^1, x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %2";
const char* const fold =
    "%0 : f32[n0, n0.1] = input\n%1 : f32 = input\n%2 : f32[n0] = fold [1] (%0) from (%1) "
    "{x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %2";
const char* const transpose = "%0 : f32[n0, n0.1] = input\n%1 : f32[n0.1, n0] = transpose [1, 0] %0\nreturn %1";
const char* const slice = "arguments 1\n%0 : f32[n0] = input\n%1 : f32[a0] = slice [1:1] %0\nreturn %1";
const char* const broadcast = "%0 : f32[n0] = input\n%1 : f32[2, n0] = broadcast [1] %0\nreturn %1";
const char* const reshape = "%0 : f32[2, 3] = input\n%1 : f32[6] = reshape %0\nreturn %1";
const char* const gather = "%0 : f32[n0, 4] = input\n%1 : i64[n1] = input\n%2 : f32[n1] = gather (%1, %1) (%0)\nreturn %2";
const char* const force = "%0 : f32[n0] = input\n%1 : f32[n0] = force (%0)\nreturn %1";
const char* const cond =
    "%0 : f32 = input\n%1 : bool = input\n%2 : f32 = cond %1 {\n return %0\n} {\n"
    "%2 : f32 = map (%0) {x0: f32 -> x1 = negate x0; x1}\n return %2\n}\nreturn %2";
const char* const loop =
    "%0 : f32[n0] = input\n%1 : i64 = input\n%2 : f32[n0] = for %1 (%0) {\n%2 : i64 = param\n%3 : f32[n0] = param\n"
    "return %3\n}\nreturn %2";
const char* const while_loop =
    "%0 : f32 = input\n%1 : f32 = while (%0) {\n%1 : f32 = param\n%2 : bool = map (%1) {x0: f32 -> x1 = less x0 x0; x1}\n"
    "return %2\n} {\n%1 : f32 = param\nreturn %1\n}\nreturn %1";

const char* const scan =
    "%0 : f32[n0, n0.1] = input\n%1 : f32 = input\n%2 : f32[n0, n0.1], %3 : f32[n0] = scan totals [1] (%0) from (%1) "
    "{x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %2";
const char* const recur =
    "%0 : f32[n0, n0.1] = input\n%1 : i64 = input\n%2 : i64[n0, n0.1], %3 : i64[n0] = recur totals [1] (%0) from (%1) "
    "{x0: i64, x1: f32 -> x2: i64 = cast x1; x3 = add x0 x2; x3}\nreturn %2";
const char* const scan1 =
    "%0 : f32[n0] = input\n%1 : f32[n0] = scan [0] (%0) from () {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %1";
const char* const compact =
    "%0 : bool[n0] = input\n%1 : f32[n0] = input\n%2 : i64, %3 : f32[%2] = compact %0 (%1)\nreturn %3";
const char* const scatter =
    "%0 : f32[n0] = input\n%1 : i64[n1] = input\n%2 : f32[n1] = input\n%3 : f32[n0] = scatter (%0) at (%1) (%2) "
    "{x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %3";
const char* const sort =
    "%0 : f32[n0] = input\n%1 : i64[n0] = input\n%2 : f32[n0], %3 : i64[n0] = sort 1 (%0, %1)\nreturn %3";
const char* const foreign = "%0 : f32[n0] = input\n%1 : i64, %2 : f32[%1] = foreign \"f\" 0 (%0)\nreturn %2";
const char* const shift = "%0 : f32[n0] = input\n%1 : f32[n0] = shift wrap [1] %0\nreturn %1";
const char* const pad = "%0 : f32[n0] = input\n%1 : f32 = input\n%2 : f32[n0] = pad [1:1] %0 else %1\nreturn %2";
const char* const rows =
    "%0 : f32[n0, 3] = input\n%1 : f32[3] = input\n%2 : f32[n0, 3] = scan_rows (%0) from (%1) {\n%2 : f32[3] = param\n"
    "%3 : f32[3] = param\nreturn %3\n}\nreturn %2";
/// For the sum of an array and a number of times, which is returned unchanged.
const char* const jvp =
    "%0 : f32[n0] = input\n%1 : i64 = input\n%2 : f32, %3 : i64, %4 : f32 = jvp (%0, %1) by [0] seeds (%0) {\n"
    "%2 : f32[n0] = param\n%3 : i64 = param\n%4 : f32 = generate () {-> x0: f32 = constant 0; x0}\n"
    "%5 : f32 = fold [0] (%2) from (%4) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %5, %3\n}\nreturn %4";
const char* const vjp =
    "%0 : f32[n0] = input\n%1 : i64 = input\n%2 : f32 = input\n%3 : f32, %4 : i64, %5 : f32[n0] = vjp (%0, %1) by [0] seeds "
    "(%2) {\n"
    "%3 : f32[n0] = param\n%4 : i64 = param\n%5 : f32 = generate () {-> x0: f32 = constant 0; x0}\n"
    "%6 : f32 = fold [0] (%3) from (%5) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\nreturn %6, %4\n}\nreturn %5";
const char* const custom_jvp =
    "%0 : f32[n0] = input\n%1 : i64 = input\n%2 : f32[n0] = custom_jvp (%0, %1) {\n%2 : f32[n0] = param\n%3 : i64 = param\n"
    "return %2\n} {\n%2 : f32[n0] = param\n%3 : i64 = param\n%4 : f32[n0] = param\n%5 : i64 = param\nreturn %4\n}\nreturn "
    "%2";
const char* const custom_vjp =
    "%0 : f32[n0] = input\n%1 : i64 = input\n%2 : f32[n0] = custom_vjp (%0, %1) {\n%2 : f32[n0] = param\n%3 : i64 = param\n"
    "return %2\n} {\n%2 : f32[n0] = param\n%3 : i64 = param\n%4 : f32[n0] = param\n%5 : f32[n0] = param\nreturn %5\n}\n"
    "return %2";
const char* const checkpoint =
    "%0 : f32[n0] = input\n%1 : f32[n0] = checkpoint (%0) {\n%1 : f32[n0] = param\nreturn %1\n}\nreturn %1";
const char* const vmap =
    "%0 : f32[n0, 3] = input\n%1 : f32[n0, 3] = vmap (%0) {\n%1 : f32[3] = param\nreturn %1\n}\nreturn %1";

}  // namespace

TEST_CASE("expectations and prints take a condition, numbers, values") {
    const char* const text =
        "{x0: bool, x1: i64, x2: f32 -> x3: bool = expect #9 x0 x1; x4: bool = debug_print #16 x1 x2 x0; x3, x4}";
    damaged_fn(text, "F2", [](Fn& fn) { fn.body.insts[0].operands = {Local(1), Local(1)}; });
    damaged_fn(text, "F2", [](Fn& fn) { fn.body.insts[0].operands = {Local(0), Local(2)}; });
    damaged_fn(text, "F2", [](Fn& fn) { fn.body.insts[0].types = {Scalar::i64}; });
    damaged_fn(text, "F2", [](Fn& fn) { fn.body.insts[1].operands = {Local(2)}; });
    damaged_fn(text, "F2", [](Fn& fn) { fn.body.insts[1].operands = {}; });
    damaged_fn(text, "F2", [](Fn& fn) { fn.body.insts[1].types = {Scalar::f32}; });
    CHECK(print(parse_fn(text)) == text);
}

TEST_CASE("verify: functions", "[ir]") {
    damaged_fn(add, "F1", [](Fn& fn) { fn.body.insts[0].operands[1] = Local(2); });
    damaged_fn(add, "F1", [](Fn& fn) { fn.body.results[0] = Local(3); });
    damaged_fn(scalar_cond, "F1", [](Fn& fn) { fn.body.insts[0].blocks[1].results[0] = Local(2); });
    damaged_fn(add, "F2", [](Fn& fn) { fn.body.params[0] = Scalar::f64; });
    damaged_fn(add, "F2", [](Fn& fn) { fn.body.insts[0].types[0] = Scalar::f64; });
    damaged_fn(add, "F2", [](Fn& fn) { fn.body.insts[0].types.push_back(Scalar::f32); });
    damaged_fn(add, "F3", [](Fn& fn) { fn.body.insts[0].bits = 1; });
    damaged_fn("{-> x0: i8 = constant -1; x0}", "F3", [](Fn& fn) { fn.body.insts[0].bits = ~0ull; });
    damaged_fn("{-> x0: bool = constant true; x0}", "F3", [](Fn& fn) { fn.body.insts[0].bits = 2; });
    damaged_fn(reads, "F5", [](Fn& fn) { fn.body.insts[0].bits = 1; });
    damaged_fn(reads, "F5", [](Fn& fn) { fn.body.insts[0].operands.pop_back(); });
    damaged_fn(reads, "F5", [](Fn& fn) { fn.arrays[0].scalar = Scalar::f64; });
    damaged_fn(reads, "F5", [](Fn& fn) { fn.body.params[0] = Scalar::i32; });
    damaged_fn(reads, "F5", [](Fn& fn) { fn.body.insts[1].bits = 2; });
    damaged_fn(add, "F6", [](Fn& fn) { fn.body.insts[0] = Inst{Op::load, {Scalar::f32}, 0, {Local(0)}, {}}; });
}

TEST_CASE("verify: control in functions", "[ir]") {
    damaged_fn(add, "F4", [](Fn& fn) { fn.body.insts[0].blocks.emplace_back(); });
    damaged_fn(scalar_cond, "F4", [](Fn& fn) { fn.body.params[0] = Scalar::i8; });
    damaged_fn(scalar_cond, "F4", [](Fn& fn) { fn.body.insts[0].blocks.pop_back(); });
    damaged_fn(scalar_cond, "F4", [](Fn& fn) { fn.body.insts[0].blocks[0].params = {Scalar::f32}; });
    damaged_fn(scalar_cond, "F4", [](Fn& fn) { fn.body.insts[0].blocks[1].results = {Local(0)}; });
    damaged_fn(scalar_while, "F4", [](Fn& fn) { fn.body.insts[0].blocks[0].results = {Local(1)}; });
    damaged_fn(scalar_while, "F4", [](Fn& fn) { fn.body.insts[0].blocks[1].results = {}; });
    damaged_fn(scalar_while, "F4", [](Fn& fn) { fn.body.insts[0].operands.clear(); });
    damaged_fn(scalar_for, "F4", [](Fn& fn) { fn.body.params[0] = Scalar::i32; });
    damaged_fn(scalar_for, "F4", [](Fn& fn) { fn.body.insts[0].blocks[0].params.pop_back(); });
}

TEST_CASE("verify: variables and sizes", "[ir]") {
    damaged(force, "P1", [](Program& p) { op_of<Force>(p).args[0] = ValueId(1); });
    damaged(force, "P1", [](Program& p) { p.body.results[0] = ValueId(2); });
    damaged(cond, "P1", [](Program& p) { p.body.results[0] = ValueId(3); });
    damaged(force, "P2", [](Program& p) { p.body.params[0].shape[0] = SizeId(9); });
    damaged(force, "P2", [](Program& p) { p.body.params[0].shape[0] = p.sizes.input_extent(1, 0); });
    damaged(slice, "P2", [](Program& p) { p.size_arguments = 0; });
    damaged(force, "P2", [](Program& p) { p.body.params[0].shape[0] = p.sizes.value(ValueId(0)); });
    damaged(loop, "P2",
            [](Program& p) { p.body.guards.push_back({p.sizes.value(ValueId(2)), p.sizes.constant(1), {}, ""}); });
    damaged(force, "P10", [](Program& p) { p.body.bindings[0].site = SiteId(0); });
}

TEST_CASE("verify: maps and folds", "[ir]") {
    damaged(map, "P3", [](Program& p) { p.body.bindings[0].types[0].shape[0] = p.sizes.constant(3); });
    damaged(map, "P3", [](Program& p) { op_of<Map>(p).indexed = true; });
    damaged(map, "P3", [](Program& p) { op_of<Map>(p).captures.scalars[0] = ValueId(0); });
    damaged(map, "P3", [](Program& p) { op_of<Map>(p).captures.arrays[0] = ValueId(1); });
    damaged(map, "P3", [](Program& p) { op_of<Map>(p).captures.arrays.clear(); });
    damaged(map, "P3", [](Program& p) { op_of<Map>(p).fn.body.results.push_back(Local(0)); });
    damaged(map, "P3", [](Program& p) { op_of<Map>(p).fn.body.insts[0].bits = 1; });
    damaged(fold, "P4", [](Program& p) { op_of<Fold>(p).axes = {}; });
    damaged(fold, "P4", [](Program& p) { op_of<Fold>(p).axes = {2}; });
    damaged(fold, "P4", [](Program& p) { op_of<Fold>(p).axes = {0}; });
    damaged(fold, "P4", [](Program& p) { op_of<Fold>(p).axes = {1, 1}; });
    damaged(fold, "P4", [](Program& p) { op_of<Fold>(p).inits = {}; });
    damaged(fold, "P4", [](Program& p) { op_of<Fold>(p).inits = {ValueId(0)}; });
    damaged(fold, "P4", [](Program& p) { op_of<Fold>(p).op.body.params.push_back(Scalar::f32); });
    damaged(fold, "P4", [](Program& p) { p.body.params[1].scalar = Scalar::f64; });
}

TEST_CASE("verify: views, gather, force", "[ir]") {
    auto function = [](Program& p) -> IndexFunction& { return op_of<View>(p).function; };
    damaged(transpose, "P5", [&](Program& p) { std::get<Transpose>(function(p)).axes = {1, 1}; });
    damaged(transpose, "P5", [&](Program& p) { std::get<Transpose>(function(p)).axes = {0, 1}; });
    damaged(transpose, "P5", [&](Program& p) { p.body.bindings[0].types[0].scalar = Scalar::f64; });
    damaged(slice, "P5", [&](Program& p) { std::get<Slice>(function(p)).step = {0}; });
    damaged(slice, "P5", [&](Program& p) { std::get<Slice>(function(p)).start = {}; });
    damaged(broadcast, "P5", [&](Program& p) { std::get<Broadcast>(function(p)).axes = {0}; });
    damaged(broadcast, "P5", [&](Program& p) { std::get<Broadcast>(function(p)).axes = {2}; });
    damaged(reshape, "P5", [&](Program& p) { p.body.bindings[0].types[0].shape = {p.sizes.constant(7)}; });
    damaged(gather, "P6", [](Program& p) { op_of<Gather>(p).indices.pop_back(); });
    damaged(gather, "P6", [](Program& p) { op_of<Gather>(p).sources.clear(); });
    damaged(gather, "P6", [](Program& p) { p.body.params[1].scalar = Scalar::i32; });
    damaged(gather, "P6", [](Program& p) { p.body.params[0].scalar = Scalar::f64; });
    damaged(force, "P7", [](Program& p) { op_of<Force>(p).args.push_back(ValueId(0)); });
}

TEST_CASE("verify: shift and pad", "[ir]") {
    auto function = [](Program& p) -> IndexFunction& { return op_of<View>(p).function; };
    damaged(shift, "P5", [&](Program& p) { std::get<Shift>(function(p)).offset = {1, 2}; });
    damaged(shift, "P5", [](Program& p) { p.body.bindings[0].types[0].shape[0] = p.sizes.constant(3); });
    damaged(pad, "P5", [](Program& p) { op_of<View>(p).fill = ValueId(0); });
    damaged(pad, "P5", [](Program& p) { p.body.params[1].scalar = Scalar::i32; });
    damaged(pad, "P5", [&](Program& p) { std::get<Slice>(function(p)).step = {2}; });
    damaged(pad, "P5", [&](Program& p) { function(p) = Reshape{}; });
    damaged(pad, "P1", [](Program& p) { op_of<View>(p).fill = ValueId(2); });
}

TEST_CASE("verify: scan", "[ir]") {
    damaged(scan, "P11", [](Program& p) { op_of<Scan>(p).axis = 2; });
    damaged(scan, "P11", [](Program& p) { op_of<Scan>(p).axis = 0; });
    damaged(scan, "P11", [](Program& p) { op_of<Scan>(p).totals = false; });
    damaged(scan, "P11", [](Program& p) { op_of<Scan>(p).inits = {}; });
    damaged(scan, "P11", [](Program& p) { op_of<Scan>(p).inits = {ValueId(0)}; });
    damaged(scan, "P11", [](Program& p) { op_of<Scan>(p).op.body.params.push_back(Scalar::f32); });
    damaged(scan, "P11", [](Program& p) { p.body.bindings[0].types[1].shape.clear(); });
    damaged(recur, "P11", [](Program& p) { op_of<Scan>(p).exclusive = true; });
    damaged(recur, "P11", [](Program& p) { op_of<Scan>(p).sequential = false; });
    damaged(recur, "P11", [](Program& p) { op_of<Scan>(p).inits = {}; });
    damaged(recur, "P11", [](Program& p) { op_of<Scan>(p).inits = {ValueId(0)}; });
    damaged(recur, "P11", [](Program& p) { op_of<Scan>(p).args.clear(); });
    damaged(recur, "P11", [](Program& p) { p.body.bindings[0].types[0].scalar = Scalar::f32; });
    damaged(scan1, "P11", [](Program& p) { op_of<Scan>(p).exclusive = true; });
    damaged(scan1, "P11", [](Program& p) { op_of<Scan>(p).args.clear(); });
}

TEST_CASE("verify: what is kept may be written as a size that it is guarded to equal", "[ir]") {
    CHECK_NOTHROW(
        verify(parse("guard %1 = n0 \"map\"\n%0 : bool[n0] = input\n%1 : i64, %2 : bool[n0] = compact %0 (%0)\n"
                     "%3 : bool[n0] = map (%0, %2) {x0: bool, x1: bool -> x2 = bit_or x0 x1; x2}\nreturn %3")));
}

TEST_CASE("verify: compact, scatter, sort, foreign", "[ir]") {
    damaged(compact, "P12", [](Program& p) { p.body.params[0].scalar = Scalar::i8; });
    damaged(compact, "P12", [](Program& p) { p.body.params[1].shape[0] = p.sizes.constant(3); });
    damaged(compact, "P12", [](Program& p) { p.body.bindings[0].types[1].shape[0] = p.sizes.constant(3); });
    damaged(compact, "P12", [](Program& p) { p.body.bindings[0].types[1].scalar = Scalar::f64; });
    damaged(compact, "P12", [](Program& p) { op_of<Compact>(p).args.clear(); });
    damaged(scatter, "P13", [](Program& p) { op_of<Scatter>(p).indices.push_back(ValueId(1)); });
    damaged(scatter, "P13", [](Program& p) { p.body.params[1].scalar = Scalar::i32; });
    damaged(scatter, "P13", [](Program& p) { p.body.params[2].shape[0] = p.sizes.constant(3); });
    damaged(scatter, "P13", [](Program& p) { p.body.params[2].scalar = Scalar::f64; });
    damaged(scatter, "P13", [](Program& p) { p.body.bindings[0].types[0].shape[0] = p.sizes.constant(3); });
    damaged(scatter, "P13", [](Program& p) { op_of<Scatter>(p).op->body.results.pop_back(); });
    damaged(scatter, "P13", [](Program& p) {
        op_of<Scatter>(p).op.reset();
        op_of<Scatter>(p).captures.arrays = {ValueId(0)};
    });
    damaged(sort, "P14", [](Program& p) { op_of<Sort>(p).keys = 0; });
    damaged(sort, "P14", [](Program& p) { op_of<Sort>(p).keys = 3; });
    damaged(sort, "P14", [](Program& p) { p.body.params[1].shape[0] = p.sizes.constant(3); });
    damaged(foreign, "P15", [](Program& p) { p.body.bindings[0].types[1].shape[0] = p.sizes.constant(3); });
    damaged(foreign, "P15", [](Program& p) { p.body.bindings[0].types[0].scalar = Scalar::i32; });
}

TEST_CASE("verify: vmap", "[ir]") {
    damaged(vmap, "P16", [](Program& p) { op_of<Vmap>(p).args.clear(); });
    damaged(vmap, "P16", [](Program& p) { op_of<Vmap>(p).bodies.clear(); });
    damaged(vmap, "P16", [](Program& p) { op_of<Vmap>(p).bodies[0].params[0].shape.clear(); });
    damaged(vmap, "P16", [](Program& p) { p.body.bindings[0].types[0].shape[0] = p.sizes.constant(3); });
    damaged(vmap, "P16", [](Program& p) { op_of<Vmap>(p).bodies[0].results = {ValueId(0)}; });
}

TEST_CASE("verify: joined vmap", "[ir]") {
    const char* const joined =
        "%0 : i64[n0] = input\n%1 : i64, %2 : i64[n0], %3 : i64[%1] = vmap (%0) {\n%1 : i64 = param\n"
        "%2 : i64[%1] = generate () {x0: i64 -> x0}\nreturn %2\n}\nreturn %3";
    CHECK(parse(print(parse(joined))).body == parse(joined).body);
    damaged(joined, "P16", [](Program& p) { p.body.bindings[0].types[1].shape.clear(); });
    damaged(joined, "P16", [](Program& p) { p.body.bindings[0].types[2].shape[0] = p.sizes.constant(3); });
    damaged(joined, "P16", [](Program& p) { p.body.bindings[0].types[2].scalar = Scalar::f32; });
    damaged(joined, "P16", [](Program& p) { op_of<Vmap>(p).bodies[0].results = {ValueId(1)}; });
    damaged(joined, "P16", [](Program& p) { op_of<Vmap>(p).bodies[0].results.clear(); });
}

TEST_CASE("verify: indices that a function checks", "[ir]") {
    const char* const checks = "{x0: i64, x1: i64 -> x2 = check_index #1 x0 x1; x2}";
    CHECK(print(parse_fn(checks)) == checks);
    damaged_fn(checks, "F2", [](Fn& fn) { fn.body.params[0] = Scalar::i32; });
    damaged_fn(checks, "F2", [](Fn& fn) { fn.body.insts[0].operands.pop_back(); });
}

TEST_CASE("verify: derivatives", "[ir]") {
    for (const char* text : {jvp, vjp}) {
        damaged(text, "P18", [](Program& p) { op_of<Derivative>(p).bodies.clear(); });
        damaged(text, "P18", [](Program& p) { op_of<Derivative>(p).bodies[0].params.pop_back(); });
        damaged(text, "P18", [](Program& p) { op_of<Derivative>(p).by = {1}; });
        damaged(text, "P18", [](Program& p) { op_of<Derivative>(p).by = {0, 0}; });
        damaged(text, "P18", [](Program& p) { op_of<Derivative>(p).seeds.clear(); });
        damaged(text, "P18", [](Program& p) { p.body.bindings[0].types.pop_back(); });
    }
    damaged(jvp, "P18", [](Program& p) { op_of<Derivative>(p).mode = Derivative::Mode::reverse; });
    damaged(vjp, "P18", [](Program& p) { op_of<Derivative>(p).mode = Derivative::Mode::forward; });
}

TEST_CASE("verify: functions with a rule", "[ir]") {
    for (const char* text : {custom_jvp, custom_vjp}) {
        damaged(text, "P19", [](Program& p) { op_of<Custom>(p).bodies.pop_back(); });
        damaged(text, "P19", [](Program& p) { op_of<Custom>(p).args.pop_back(); });
        damaged(text, "P19", [](Program& p) { op_of<Custom>(p).bodies[1].params.pop_back(); });
        damaged(text, "P19", [](Program& p) { op_of<Custom>(p).bodies[1].results = {ValueId(3)}; });
        damaged(text, "P19", [](Program& p) { op_of<Custom>(p).bodies[1].results.clear(); });
        damaged(text, "P19", [](Program& p) { op_of<Custom>(p).kind = Custom::Kind::checkpoint; });
    }
    damaged(custom_jvp, "P19", [](Program& p) { op_of<Custom>(p).kind = Custom::Kind::vjp; });
    damaged(custom_vjp, "P19", [](Program& p) { op_of<Custom>(p).kind = Custom::Kind::jvp; });
    damaged(checkpoint, "P19", [](Program& p) { op_of<Custom>(p).kind = Custom::Kind::jvp; });
}

TEST_CASE("verify: folds and scans of rows", "[ir]") {
    damaged(rows, "P17", [](Program& p) { op_of<Rows>(p).inits.clear(); });
    damaged(rows, "P17", [](Program& p) { op_of<Rows>(p).bodies.clear(); });
    damaged(rows, "P17", [](Program& p) { op_of<Rows>(p).kind = Rows::Kind::fold; });
    damaged(rows, "P17", [](Program& p) { op_of<Rows>(p).inits = {ValueId(0)}; });
    damaged(rows, "P17", [](Program& p) { op_of<Rows>(p).bodies[0].params.pop_back(); });
    damaged(rows, "P17", [](Program& p) { op_of<Rows>(p).bodies[0].results = {ValueId(0)}; });
}

TEST_CASE("verify: cond and loop", "[ir]") {
    damaged(cond, "P8", [](Program& p) { op_of<Cond>(p).condition = ValueId(0); });
    damaged(cond, "P8", [](Program& p) { op_of<Cond>(p).bodies.pop_back(); });
    damaged(cond, "P8", [](Program& p) { op_of<Cond>(p).bodies[0].params = {Type{Scalar::f32, {}}}; });
    damaged(cond, "P8", [](Program& p) { op_of<Cond>(p).bodies[1].results = {ValueId(1)}; });
    damaged(loop, "P9", [](Program& p) { op_of<Loop>(p).count = ValueId(0); });
    damaged(loop, "P9", [](Program& p) { op_of<Loop>(p).inits = {ValueId(1)}; });
    damaged(loop, "P9", [](Program& p) { op_of<Loop>(p).bodies[0].params.pop_back(); });
    damaged(loop, "P9", [](Program& p) { op_of<Loop>(p).bodies[0].results = {ValueId(2)}; });
    damaged(while_loop, "P9", [](Program& p) { op_of<Loop>(p).bodies[0].results = {ValueId(1)}; });
    damaged(while_loop, "P9", [](Program& p) { op_of<Loop>(p).bodies.pop_back(); });
}

TEST_CASE("verify: loops whose states change their extents", "[ir]") {
    const char* changing =
        "%0 : f32[n0] = input\n%1 : f32[n1] = input\n%2 : i64 = input\n"
        "%3 : i64, %4 : f32[%3], %5 : f32[n1] = for %2 (%0, %1) changing [0:0] {\n"
        "  %3 : i64 = param\n  %4 : i64 = param\n  %5 : f32[%4] = param\n  %6 : f32[n1] = param\n"
        "  %7 : f32[(%4 - 1)] = slice [0:1] %5\n  return %7, %6\n}\nreturn %4\n";
    CHECK_NOTHROW(verify(parse(changing)));
    damaged(changing, "P9", [](Program& p) { op_of<Loop>(p).changing = {{1, 0}}; });
    damaged(changing, "P9", [](Program& p) { op_of<Loop>(p).changing = {{0, 1}}; });
    damaged(changing, "P9", [](Program& p) { op_of<Loop>(p).changing = {}; });
    damaged(changing, "P9", [](Program& p) { p.body.bindings[0].types[1].shape[0] = p.sizes.input_extent(0, 0); });
    damaged(changing, "P9", [](Program& p) { p.body.bindings[0].types[0].scalar = Scalar::i32; });
    damaged(changing, "P9", [](Program& p) { op_of<Loop>(p).bodies[0].params[2].shape[0] = p.sizes.input_extent(0, 0); });
    damaged(changing, "P9", [](Program& p) { op_of<Loop>(p).bodies[0].results[1] = ValueId(7); });
    damaged(changing, "P9", [](Program& p) { op_of<Loop>(p).bodies[0].results.pop_back(); });
}

TEST_CASE("verify: the message names the binding", "[ir]") {
    Program program = parse(map);
    op_of<Map>(program).indexed = true;
    CHECK_THAT(violation(program), Catch::Contains("at %2 (map_indexed)"));
}
