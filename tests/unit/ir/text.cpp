// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/literal.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"

#include <catch2/catch.hpp>

#include <bit>

using namespace sinter::ir;
using sinter::UsageError;

namespace {

std::string message_of(std::string_view text) {
    try {
        parse(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "no error";
}

std::string literal(Scalar type, std::uint64_t bits) {
    std::string text;
    append_literal(text, type, bits);
    return text;
}

const char* const everything = R"(arguments 2
size s0 = (a0 + (n0 * n0.1))
size s1 = max(s0, ceil_div(n0, 2))
guard n0 = a1 "map: arguments 0 and \"1\",\naxis \\0"
%0 : f32[n0, n0.1] = input
%1 : f32 = input
%2 : i64 = input
%3 : bool = input
%4 : f32[n0, n0.1] = map (%0; %1) {x0: f32, x1: f32 -> x2 = mul x1 x0; x3: f32 = constant 2; x4 = add x2 x3; x4}
%5 : i64[s1], %6 : i64[s1] = generate () {x0: i64 -> x1 = negate x0; x0, x1}
%7 : f32[n0, n0.1] = map_indexed (%4; ; %0) {@0: f32^2, x0: i64, x1: i64, x2: f32 -> x3: f32 = read @0 x0 x1; x4 = extent @0^1; x5: f32 = cast x4; x6 = add x3 x5; x6}
%8 : f32[n0] = fold commutative [1] (%7) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%9 : f32 = fold [0, 1] (%7; %1; %0) from (%1) {@0: f32^2, x0: f32, x1: f32, x2: f32 -> x3 = fma x0 x1 x2; x3}
%10 : f32[n0.1, n0] = transpose [1, 0] %0
%11 : f32[(n0 - 1), %2] = slice [1:1, (n0.1 - 1):-1] %0
%12 : f32[2, n0, 4, n0.1] = broadcast [1, 3] %0
%13 : f32[(n0 * n0.1)] = reshape %0
%14 : f32[s1] = gather (%5, %6) (%0)
%15 : f32[n0], %16 : f32[min(n0, a0)] = force (%8, %8)
%17 : f32 = cond %3 {
  return %1
} {
  %17 : f32 = map (%1) {x0: f32 -> x1 = exp x0; x1}
  return %17
}
%18 : f32[n0], %19 : f32 = for %2 (%8, %1) {
  %18 : i64 = param
  %19 : f32[n0] = param
  %20 : f32 = param
  %21 : f32[n0] = map (%19; %20) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %21, %20
}
%20 : f32 = while (%1) {
  %20 : f32 = param
  %21 : bool = map (%20) {x0: f32 -> x1: f32 = constant 1e+30; x2 = less x0 x1; x2}
  return %21
} {
  %20 : f32 = param
  %21 : f32 = map (%20) {x0: f32 ->
    x1: f32 = constant -1.5;
    x2: bool = constant true;
    x3: f32, x4: f32 = cond x2 {-> x3 = mul x0 x1; x3, x0} {-> x0, x1};
    x5: i64 = constant -7;
    x6: f32 = for_loop x5 x3 {x6: i64, x7: f32 -> x8 = add x7 x4; x8};
    x7: f32 = while_loop x6 {x7: f32 -> x8 = less x7 x0; x8} {x7: f32 -> x8 = add x7 x0; x8};
    x7
  }
  return %21
}
return %4, %9, %20
)";

const char* const arrays_at_once = R"(%0 : f32[n0, n0.1] = input
%1 : f32 = input
%2 : bool[n2] = input
%3 : i64[n2] = input
%4 : f32[n2] = input
%5 : f32[n0, n0.1] = scan [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%6 : f32[n0, n0.1] = scan reverse [0] (%0; %1) from () {x0: f32, x1: f32, x2: f32 -> x3 = fma x0 x1 x2; x3}
%7 : f32[n0, n0.1], %8 : f32[n0] = scan exclusive reverse totals [1] (%0) from (%1) {x0: f32, x1: f32 -> x1}
%9 : i64, %10 : i64[%9], %11 : f32[%9] = compact %2 (%3, %4)
%12 : f32[n2] = scatter (%4) at (%3) (%4)
%13 : f32[n0, n0.1] = scatter drops (%0) at (%3, %3) (%4; %1) {x0: f32, x1: f32, x2: f32 -> x3 = fma x1 x2 x0; x3}
%14 : f32[n2], %15 : i64[n2] = sort 1 (%4, %3)
%16 : f32[n2] = sort descending 1 (%4)
%17 : i64, %18 : i64, %19 : f32[%17, %18] = foreign "a \"name\"" 3 (%4, %2)
%20 : f32[n0, n0.1] = shift clamp [-1, 2] %0
%21 : f32[n0, n0.1] = shift wrap [0, 1] %0
%22 : f32[n0, n0.1] = shift symmetric [0, -3] %0
%23 : f32[n0, (n0.1 + 2)] = pad [0:1, -1:1] %0 else %1
%24 : f32[n0] = vmap (%0, %8) {
  %24 : f32[n0.1] = param
  %25 : f32 = param
  %26 : f32 = fold [0] (%24) from (%25) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %26
}
%25 : i64, %26 : i64, %27 : f32[%25], %28 : f32[%26, n0.1] = for %17 (%4, %0) changing [0:0, 1:0] {
  %25 : i64 = param
  %26 : i64 = param
  %27 : i64 = param
  %28 : f32[%26] = param
  %29 : f32[%27, n0.1] = param
  %30 : f32[(%26 - 1)] = slice [0:1] %28
  return %30, %0
}
%29 : f32[n0, n0.1] = recur [1] (%0; %1) from (%1) {x0: f32, x1: f32, x2: f32 -> x3 = fma x0 x1 x2; x3}
%30 : i64[n2], %31 : i64 = recur reverse totals [0] (%2, %3) from (%17) {x0: i64, x1: bool, x2: i64 -> x3 = add x0 x2; x3}
%32 : f32[n0, n0.1], %33 : f32[n0, n0.1] = jvp (%0, %1) by [0] seeds (%20) {
  %32 : f32[n0, n0.1] = param
  %33 : f32 = param
  %34 : f32[n0, n0.1] = map (%32; %33) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
  return %34
}
%34 : f32[n0, n0.1], %35 : f32[n0, n0.1], %36 : f32 = vjp (%0, %1) by [0, 1] seeds (%20) {
  %34 : f32[n0, n0.1] = param
  %35 : f32 = param
  %36 : f32[n0, n0.1] = map (%34; %35) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
  return %36
}
%37 : f32[n2] = custom_jvp (%4) {
  %37 : f32[n2] = param
  return %37
} {
  %37 : f32[n2] = param
  %38 : f32[n2] = param
  return %38
}
%38 : f32[n2] = custom_vjp (%4, %3) {
  %38 : f32[n2] = param
  %39 : i64[n2] = param
  return %38
} {
  %38 : f32[n2] = param
  %39 : i64[n2] = param
  %40 : f32[n2] = param
  %41 : f32[n2] = param
  return %41
}
%39 : f32[n2] = checkpoint (%38) {
  %39 : f32[n2] = param
  return %39
}
%40 : f32[n2], %41 : f32[n2] = force again (%4, %39)
%42 : i64, %43 : f32[%42] = foreign "fft" 0 rule 1 by [0] (%4, %3)
return %11, %24, %27
)";

}  // namespace

TEST_CASE("text: operations on whole arrays are read and printed back", "[ir]") {
    Program program = parse(arrays_at_once);
    verify(program);
    CHECK(print(program) == arrays_at_once);
    CHECK(parse(print(program)).body == program.body);
}

TEST_CASE("text: every boundary is read and printed back", "[ir]") {
    for (const char* boundary : {"clamp", "wrap", "symmetric", "reflect"}) {
        const std::string text =
            std::string("%0 : f32[n0] = input\n%1 : f32[n0] = shift ") + boundary + " [-2] %0\nreturn %1\n";
        Program program = parse(text);
        verify(program);
        CHECK(print(program) == text);
    }
}

TEST_CASE("text: every construct is read and printed back", "[ir]") {
    Program program = parse(everything);
    CHECK(print(program) == everything);
    Program again = parse(print(program));
    CHECK(again.body == program.body);
    CHECK(again.body.guards == program.body.guards);
    CHECK(again.body.guards[0].message == "map: arguments 0 and \"1\",\naxis \\0");
    CHECK(again.size_arguments == 2);
}

TEST_CASE("text: kernels' instructions", "[ir]") {
    std::string text = "{x0: i64 -> x1: f32 = load #0 x0; x2 = size #3; x3 = check_index #1 x0 x2; store #1 x3 x1;}";
    Lexer lexer(text);
    Block block = parse_block(lexer);
    CHECK(print(block) == text);
    CHECK(block.insts[3].types.empty());
    std::string nested =
        "{x2: f32, x3: i64 ->\n  x4: f32 = reduce #1 x3 x2 {x4: i64 -> x0} {x4: f32, x5: f32 -> x6 = add x4 x5; x6};\n"
        "  for_each #1 x3 {x5: i64 -> store #0 x5 x4;};\n  x4\n}";
    std::vector<Scalar> outer{Scalar::f32, Scalar::i64};
    Lexer nested_lexer(nested);
    CHECK(print(parse_block(nested_lexer, outer), 2) == nested);
}

TEST_CASE("text: literals are exact", "[ir]") {
    CHECK(literal(Scalar::f32, std::bit_cast<std::uint32_t>(0.1f)) == "0.1");
    CHECK(literal(Scalar::f32, 0x80000000u) == "-0");
    CHECK(literal(Scalar::f32, 0x7f800000u) == "0x7f800000");
    CHECK(literal(Scalar::f64, std::bit_cast<std::uint64_t>(1e300)) == "1e+300");
    CHECK(literal(Scalar::i8, 0xff) == "-1");
    CHECK(literal(Scalar::u8, 0xff) == "255");
    CHECK(literal(Scalar::i64, 0x8000000000000000u) == "-9223372036854775808");
    CHECK(literal(Scalar::boolean, 1) == "true");
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
        REQUIRE(parse_literal(Scalar::f16, literal(Scalar::f16, bits)) == bits);
        REQUIRE(parse_literal(Scalar::i16, literal(Scalar::i16, bits)) == bits);
        REQUIRE(parse_literal(Scalar::u16, literal(Scalar::u16, bits)) == bits);
    }
    std::uint64_t bits = 1;
    for (int i = 0; i < 100000; ++i) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        REQUIRE(parse_literal(Scalar::f32, literal(Scalar::f32, bits >> 32)) == bits >> 32);
        REQUIRE(parse_literal(Scalar::f64, literal(Scalar::f64, bits)) == bits);
        REQUIRE(parse_literal(Scalar::i64, literal(Scalar::i64, bits)) == bits);
        REQUIRE(parse_literal(Scalar::u64, literal(Scalar::u64, bits)) == bits);
    }
}

TEST_CASE("text: literals out of range are refused", "[ir]") {
    CHECK_FALSE(parse_literal(Scalar::i8, "128"));
    CHECK_FALSE(parse_literal(Scalar::u8, "-1"));
    CHECK_FALSE(parse_literal(Scalar::u8, "256"));
    CHECK_FALSE(parse_literal(Scalar::f16, "0.1"));
    CHECK_FALSE(parse_literal(Scalar::f16, "1e6"));
    CHECK_FALSE(parse_literal(Scalar::f32, "0x100000000"));
    CHECK_FALSE(parse_literal(Scalar::boolean, "1"));
    CHECK_FALSE(parse_literal(Scalar::i32, "1.5"));
    CHECK_FALSE(parse_literal(Scalar::f32, ""));
}

TEST_CASE("text: shared deep sizes keep the text linear", "[ir]") {
    Program program;
    SizeTable& sizes = program.sizes;
    SizeId n = sizes.input_extent(0, 0);
    SizeId deep = n;
    for (int i = 0; i < 200; ++i) deep = sizes.minimum(sizes.add(deep, n), sizes.mul(deep, deep));
    program.body.params = {{Scalar::f32, {n}}, {Scalar::f32, {deep}}};
    std::string text = print(program);
    CHECK(text.size() < 30000);
    CHECK(print(parse(text)) == text);
}

TEST_CASE("text: mistakes are reported with line and column", "[ir]") {
    CHECK(message_of("return %0") == "line 1, column 8: this value is not in scope, found '%'");
    CHECK(message_of("%0 : f32 = input\n%2 : f32 = input\nreturn").find("line 2, column 2: expected %1") == 0);
    CHECK(message_of("%0 : f31 = input").find("line 1, column 6: expected a scalar type") == 0);
    CHECK(message_of("").find("line 1, column 1: expected '%'") == 0);
    CHECK(message_of("%0 : f32[s0] = input\nreturn").find("is not declared") != std::string::npos);
    CHECK(message_of("%0 : f32 = input\n%1 : f32 = map (%0) {x0: f32 -> x1 = sqrt x1; x1}\nreturn")
              .find("line 2, column 43: this local is not in scope") == 0);
    CHECK(message_of("%0 : f32 = input\n%1 : f32 = map (%0) {x0: f32 -> x1 = less x0; x1}\nreturn")
              .find("line 2, column 38: the operands do not fit the operation, found 'less'") == 0);
    CHECK(message_of("%0 : f32 = input\n%1 : f32 = map (%0) {x0: f32 -> x1 = constant 1; x1}\nreturn")
              .find("expected a literal of type bool") != std::string::npos);
    CHECK(message_of("return return").find("expected nothing more") != std::string::npos);
    CHECK(message_of("guard 1 = 2 \"a").find("expected a quoted text") != std::string::npos);
}

TEST_CASE("text: any prefix of a program is an error, never a crash", "[ir]") {
    std::string_view text = everything;
    for (std::size_t length = 0; length + 2 < text.size(); ++length) {
        try {
            parse(text.substr(0, length));
        } catch (const UsageError&) {
            continue;
        }
        // A prefix that parses ends within the last list of results.
        REQUIRE(length > text.rfind("return"));
    }
}

TEST_CASE("text: sites and the order of size entries are not part of it", "[ir]") {
    Program a = parse("%0 : f32[n0] = input\n%1 : f32[(n0 + 1)] = input\nreturn %0");
    Program b;
    b.sizes.constant(12);
    SizeId longer = b.sizes.add(b.sizes.constant(1), b.sizes.input_extent(0, 0));
    b.body.params = {{Scalar::f32, {b.sizes.input_extent(0, 0)}}, {Scalar::f32, {longer}}};
    b.body.results = {ValueId(0)};
    b.sites.push_back({});
    CHECK(print(a) == print(b));
}
