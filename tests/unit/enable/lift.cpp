// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifted programs compute what programs with vmap do: one test a rule.
#include "enable/lift.hpp"

#include "interp/program.hpp"
#include "ir/evaluate.hpp"
#include "ir/parse.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "opt/pipeline.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

using Extents = std::vector<std::int64_t>;

/// Elements 0, 7, 14, .. modulo 11, minus 5.
ArrayValue numbers(Scalar scalar, Extents shape) {
    ArrayValue array(scalar, std::move(shape));
    for (std::int64_t i = 0; i < array.count(); ++i) {
        std::int64_t value = i * 7 % 11 - 5;
        array.set(i, detail::is_float(scalar) ? ir::from_double(scalar, 0.5 * static_cast<double>(value))
                                              : ir::from_int64(scalar, value));
    }
    return array;
}
ArrayValue ints(Extents shape) { return numbers(Scalar::i64, std::move(shape)); }
ArrayValue floats(Extents shape) { return numbers(Scalar::f32, std::move(shape)); }
ArrayValue bools(const std::vector<std::uint64_t>& values) {
    return ArrayValue(Scalar::boolean, {static_cast<std::int64_t>(values.size())}, values);
}

ir::Program program(std::string_view text) {
    ir::Program made = ir::parse(text);
    ir::verify(made);
    return made;
}

std::vector<ArrayValue> check_lifted(std::string_view text, const std::vector<ArrayValue>& inputs,
                                     const Extents& sizes = {}) {
    ir::Program before = program(text), after = enable::lift(before);
    std::string printed = ir::print(after);
    INFO(text << "\nlifted\n" << printed);
    ir::verify(after);
    CHECK(printed.find("vmap") == std::string::npos);
    std::vector<ArrayValue> expected = interpret(before, inputs, sizes), actual = interpret(after, inputs, sizes);
    std::vector<ArrayValue> optimised = interpret(opt::optimise(after), inputs, sizes);
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        INFO("result " << i);
        CHECK(same_values(actual[i], expected[i]));
        CHECK(same_values(optimised[i], expected[i]));
    }
    return actual;
}

/// %0, %1: i64[n, m], of which %3, %4 are slices; %2: i64[k], the same for all slices.
void check_body(std::string body, std::string_view type = "i64[n0, n0.1]", const Extents& sizes = {}) {
    std::string text = R"(%0 : i64[n0, n0.1] = input
%1 : i64[n0, n0.1] = input
%2 : i64[n0.1] = input
%3 : )" + std::string(type) +
                       R"( = vmap (%0, %1) {
  %3 : i64[n0.1] = param
  %4 : i64[n0.1] = param
)" + body + "}\nreturn %3\n";
    if (!sizes.empty()) text = "arguments " + std::to_string(sizes.size()) + "\n" + text;
    for (Extents shape : {Extents{3, 4}, Extents{1, 4}, Extents{0, 4}, Extents{5, 1}, Extents{2, 5}})
        check_lifted(text, {ints(shape), ints(shape), ints({shape[1]})}, sizes);
    CHECK_NOTHROW(check_lifted(text, {ints({3, 4}), ints({3, 4}), ints({4})}, sizes));
}

std::string limitation_of(std::string_view text) {
    ir::Program made = program(text);
    auto mark = [&](auto& self, ir::Body& body) -> void {
        for (ir::Binding& binding : body.bindings) {
            binding.site = ir::SiteId(made.sites.size());
            made.sites.push_back(location::current());
            if (auto* bodies = ir::bodies_of(binding.op))
                for (ir::Body& nested : *bodies) self(self, nested);
        }
    };
    mark(mark, made.body);
    try {
        enable::lift(made);
    } catch (const Limitation& error) {
        CHECK(error.where().line() > 0);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("lift: maps of batched and shared arrays, of captured scalars, of rank 0") {
    check_body(R"(
  %5 : i64[n0.1] = map (%3, %2, %4) {x0: i64, x1: i64, x2: i64 -> x3 = sub x0 x1; x4 = mul x3 x2; x4}
  return %5
)");
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64 = map (%6, %5) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  %8 : i64[n0.1] = map (%4, %2; %5, %7) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = mul x0 x3; x5 = sub x4 x2; x6 = add x5 x1; x6}
  return %8
)");
}

TEST_CASE("lift: results that no slice changes are repeated") {
    check_body("  %5 : i64[n0.1] = map (%2) {x0: i64 -> x1 = negate x0; x1}\n  return %5\n");
    check_body("  return %2\n");
    check_body("  return %4\n");
}

TEST_CASE("lift: indices shift by one, captured arrays are read at the slice's position") {
    check_body(R"(
  %5 : i64[n0.1] = map_indexed (%3; ; %4, %2) {@0: i64^1, @1: i64^1, x0: i64, x1: i64 -> x2 = extent @0^0; x3: i64 = constant 1; x4 = sub x2 x3; x5 = sub x4 x0; x6: i64 = read @0 x5; x7: i64 = read @1 x0; x8 = mul x6 x7; x9 = add x1 x8; x9}
  return %5
)");
    check_body(R"(
  %5 : i64[n0.1, n0.1] = generate (; ; %3, %4) {@0: i64^1, @1: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x0; x3: i64 = read @1 x1; x4 = mul x2 x3; x5 = add x4 x1; x5}
  return %5
)",
               "i64[n0, n0.1, n0.1]");
    check_body(R"(
  %5 : i64 = generate (; ; %3) {@0: i64^1 -> x0 = extent @0^0; x1: i64 = constant 1; x2 = sub x0 x1; x3: i64 = read @0 x2; x3}
  return %5
)",
               "i64[n0]");
}

TEST_CASE("lift: folds, with inits and captures of the slice") {
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold commutative [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = maximum x0 x1; x2}
  %7 : i64 = fold [0] (%2) from (%6) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %8 : i64 = fold [0] (%4; %6, %5) from (%5) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = minimum x1 x2; x5 = add x0 x4; x6 = add x5 x3; x6}
  %9 : i64 = map (%7, %8) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  return %9
)",
               "i64[n0]");
    // Two axes left of three: scalars of the slice become one value a line.
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64[n0.1, n0.1, 3] = generate (; ; %3, %4) {@0: i64^1, @1: i64^1, x0: i64, x1: i64, x2: i64 -> x3: i64 = read @0 x0; x4: i64 = read @1 x1; x5 = mul x3 x4; x6 = add x5 x2; x6}
  %8 : i64[n0.1] = fold [1, 2] (%7; %6, %5) from (%6) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = mul x1 x2; x5 = add x4 x3; x6 = add x0 x5; x6}
  return %8
)");
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %6 : i64 = fold [0] (%3; ; %4) from (%5) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = constant 0; x3: i64 = read @0 x2; x4 = mul x1 x3; x5 = add x0 x4; x5}
  return %6
)",
               "i64[n0]");
}

TEST_CASE("lift: scans of all kinds") {
    for (const char* kind : {"", "exclusive ", "reverse ", "exclusive reverse "})
        check_body(std::string(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64[n0.1] = scan )") +
                   kind + R"([0] (%4; %6) from (%6) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
  return %7
)");
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64[2, n0.1] = generate (; ; %3) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x1; x3 = add x2 x0; x3}
  %8 : i64[2, n0.1], %9 : i64[n0.1] = scan totals [0] (%7; %6) from (%6) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
  return %9
)");
    check_body("  %5 : i64[n0.1] = scan [0] (%3) from () {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\n  return %5\n");
}

TEST_CASE("lift: views leave the outermost axis alone") {
    const char* product =
        "  %5 : i64[n0.1, 3] = generate (; ; %3) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x0; x3 = mul x2 x1; "
        "x3}\n";
    auto with = [&](const char* rest, std::string_view type) { check_body(std::string(product) + rest, type); };
    with("  %6 : i64[3, n0.1] = transpose [1, 0] %5\n  return %6\n", "i64[n0, 3, n0.1]");
    with("  %6 : i64[n0.1, 2] = slice [(n0.1 - 1):-1, 2:-2] %5\n  return %6\n", "i64[n0, n0.1, 2]");
    with("  %6 : i64[2, n0.1, 4, 3] = broadcast [1, 3] %5\n  return %6\n", "i64[n0, 2, n0.1, 4, 3]");
    with("  %6 : i64[(n0.1 * 3)] = reshape %5\n  return %6\n", "i64[n0, (n0.1 * 3)]");
    for (const char* boundary : {"clamp", "wrap", "mirror"})
        with((std::string("  %6 : i64[n0.1, 3] = shift ") + boundary + " [1, -2] %5\n  return %6\n").c_str(),
             "i64[n0, n0.1, 3]");
}

TEST_CASE("lift: padding, with a value of the slice or of all") {
    const char* scalars = R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
)";
    for (const char* arg : {"%4", "%2"})
        for (const char* fill : {"%5", "%6"})
            check_body(
                std::string(scalars) + "  %7 : i64[(n0.1 + 3)] = pad [-2:1] " + arg + " else " + fill + "\n  return %7\n",
                "i64[n0, (n0.1 + 3)]");
}

TEST_CASE("lift: gathers from the slice's arrays and from shared ones") {
    const char* indices = R"(
  %5 : i64[7] = generate (; ; %3) {@0: i64^1, x0: i64 -> x1: i64 = constant 0; x2: i64 = read @0 x1; x3 = add x2 x0; x4 = abs x3; x5 = extent @0^0; x6 = rem x4 x5; x6}
  %6 : i64[7] = generate (; ; %2) {@0: i64^1, x0: i64 -> x1 = extent @0^0; x2 = rem x0 x1; x2}
)";
    for (const char* index : {"%5", "%6"})
        check_body(std::string(indices) + "  %7 : i64[7], %8 : i64[7], %9 : i64[7] = gather (" + index +
                       ") (%3, %2, %4)\n  %10 : i64[7] = map (%7, %8, %9) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 "
                       "= sub x3 x2; x4}\n  return %10\n",
                   "i64[n0, 7]");
}

TEST_CASE("lift: scatters, sorts and forces") {
    for (const char* form :
         {"scatter (%5) at (%6) (%4)", "scatter drops (%5) at (%7) (%4)",
          "scatter (%2) at (%6) (%2; %8) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}",
          "scatter (%4) at (%9) (%2)"})
        check_body(std::string(R"(
  %5 : i64[n0.1] = generate () {x0: i64 -> x0}
  %6 : i64[n0.1] = map_indexed (%3) {x0: i64, x1: i64 -> x0}
  %7 : i64[n0.1] = map_indexed (%3) {x0: i64, x1: i64 -> x2: i64 = constant 0; x3 = less x1 x2; x4: i64 = constant -1; x5 = select x3 x4 x0; x5}
  %8 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %9 : i64[n0.1] = generate () {x0: i64 -> x0}
  %10 : i64[n0.1] = )") +
                   form + "\n  return %10\n");
    check_body(R"(
  %5 : i64[n0.1], %6 : i64[n0.1], %7 : i64[n0.1] = sort descending 2 (%3, %2, %4)
  %8 : i64[n0.1], %9 : i64[n0.1] = force (%7, %2)
  %10 : i64[n0.1] = map (%8, %9) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  return %10
)");
}

namespace {

/// %5 is true, %6 depends on the slice, %7 is a number of the slice.
const std::string choice = R"(
  %5 : bool = generate () {-> x0: bool = constant true; x0}
  %6 : bool = generate (; ; %3) {@0: i64^1 -> x0: i64 = constant 0; x1: i64 = read @0 x0; x2 = less x0 x1; x2}
  %7 : i64 = generate (; ; %4) {@0: i64^1 -> x0: i64 = constant 0; x1: i64 = read @0 x0; x1}
)";

}  // namespace

TEST_CASE("lift: branches, chosen for all or by slice") {
    for (const char* condition : {"%5", "%6"}) {
        check_body(choice + "  %8 : i64[n0.1], %9 : i64[n0.1], %10 : i64 = cond " + condition + R"( {
    %8 : i64[n0.1] = map (%3; %7) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
    return %8, %2, %7
  } {
    %8 : i64 = map (%7) {x0: i64 -> x1 = negate x0; x1}
    return %2, %2, %8
  }
  %11 : i64[n0.1] = map (%8, %9; %10) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 = sub x3 x2; x4}
  return %11
)");
    }
}

TEST_CASE("lift: a branch fails only in slices that take it") {
    // A division by 0 where the condition is false.
    check_body(choice + R"(
  %8 : i64 = cond %6 {
    %8 : i64 = generate (; %6) {x0: bool -> x1: i64 = cast x0; x2: i64 = constant 100; x3 = div x2 x1; x3}
    return %8
  } {
    return %7
  }
  return %8
)",
               "i64[n0]");
    // Indices, divisors and places that are out of range where it is false.
    check_body(choice + R"(
  %8 : i64[n0.1], %9 : i64, %10 : i64[n0.1] = cond %6 {
    %8 : i64[n0.1] = generate (; %6) {x0: i64, x1: bool -> x2: i64 = cast x1; x3: i64 = constant 1; x4 = sub x2 x3; x5: i64 = constant 1000; x6 = mul x4 x5; x7: i64 = constant 0; x8 = mul x0 x7; x9 = add x6 x8; x9}
    %9 : i64[n0.1], %10 : i64[n0.1] = gather (%8) (%3, %2)
    %11 : i64 = fold [0] (%9; %6) from (%7) {x0: i64, x1: i64, x2: bool -> x3: i64 = cast x2; x4 = div x1 x3; x5 = add x0 x4; x5}
    %12 : i64[n0.1] = generate (; %6) {x0: i64, x1: bool -> x2: i64 = cast x1; x3: i64 = constant 1; x4 = sub x2 x3; x5 = add x0 x4; x5}
    %13 : i64[n0.1] = scatter (%10) at (%12) (%4)
    return %9, %11, %13
  } {
    return %4, %7, %2
  }
  %11 : i64[n0.1] = map (%8, %10; %9) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 = sub x3 x2; x4}
  return %11
)");
}

TEST_CASE("lift: a scatter that slices share fails only where one needs it") {
    check_body(choice + R"(
  %8 : bool = map (%7) {x0: i64 -> x1 = not_equal x0 x0; x1}
  %9 : i64[n0.1] = cond %8 {
    %9 : i64[n0.1] = map (%2) {x0: i64 -> x1: i64 = constant 1000; x2 = add x0 x1; x2}
    %10 : i64[n0.1] = scatter (%2) at (%9) (%2)
    return %10
  } {
    return %2
  }
  return %9
)");
}

TEST_CASE("lift: loops, as long for all or by slice") {
    // A counted loop; the count is the same for all, or the slice's.
    for (const char* count : {"%8", "%9", "%7"})
        check_body(choice + R"(
  %8 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %9 : i64 = map (%7) {x0: i64 -> x1 = abs x0; x1}
  %10 : i64[n0.1], %11 : i64, %12 : i64[n0.1] = for )" +
                   count + R"( (%2, %8, %2) {
    %10 : i64 = param
    %11 : i64[n0.1] = param
    %12 : i64 = param
    %13 : i64[n0.1] = param
    %14 : i64[n0.1] = map (%11, %3; %10, %12) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = mul x1 x2; x5 = add x0 x4; x6 = sub x5 x3; x6}
    %15 : i64 = map (%12, %10) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    %16 : i64[n0.1] = map (%13; %15) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
    return %14, %15, %16
  }
  %13 : i64[n0.1] = map (%10, %12; %11) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 = sub x3 x2; x4}
  return %13
)");
}

TEST_CASE("lift: a state that becomes the slice's after some iterations") {
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64[n0.1], %7 : i64[n0.1], %8 : i64[n0.1] = for %5 (%2, %2, %2) {
    %6 : i64 = param
    %7 : i64[n0.1] = param
    %8 : i64[n0.1] = param
    %9 : i64[n0.1] = param
    return %8, %9, %3
  }
  return %6
)");
}

TEST_CASE("lift: while loops, of which every slice has its own number of iterations") {
    // The first element grows to the limit; reading there is an error that only a slice that is done would make.
    for (const char* limit : {"%8", "%9"})
        check_body(choice + R"(
  %8 : i64 = generate (; ; %2) {@0: i64^1 -> x0 = extent @0^0; x0}
  %9 : i64 = map (%7, %8) {x0: i64, x1: i64 -> x2 = minimum x0 x1; x2}
  %10 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %11 : i64, %12 : i64[n0.1] = while (%10, %2) {
    %11 : i64 = param
    %12 : i64[n0.1] = param
    %13 : bool = map (%11, )" +
                   limit + R"() {x0: i64, x1: i64 -> x2 = less x0 x1; x2}
    return %13
  } {
    %11 : i64 = param
    %12 : i64[n0.1] = param
    %13 : i64 = generate (; %11; %3) {@0: i64^1, x0: i64 -> x1: i64 = read @0 x0; x1}
    %14 : i64[n0.1] = map (%12; %13) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    %15 : i64 = map (%11) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
    return %15, %14
  }
  return %12
)");
}

TEST_CASE("lift: loops in branches in loops") {
    check_body(choice + R"(
  %8 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %9 : i64 = map (%7) {x0: i64 -> x1 = abs x0; x1}
  %10 : i64, %11 : i64 = while (%8, %9) {
    %10 : i64 = param
    %11 : i64 = param
    %12 : bool = map (%10, %11) {x0: i64, x1: i64 -> x2 = less x0 x1; x2}
    return %12
  } {
    %10 : i64 = param
    %11 : i64 = param
    %12 : bool = map (%10) {x0: i64 -> x1: i64 = constant 1; x2 = bit_and x0 x1; x3 = equal x1 x2; x3}
    %13 : i64 = cond %12 {
      %13 : i64 = for %10 (%11) {
        %13 : i64 = param
        %14 : i64 = param
        %15 : i64 = map (%14) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
        return %15
      }
      %14 : i64 = while (%13) {
        %14 : i64 = param
        %15 : bool = map (%14; %9) {x0: i64, x1: i64 -> x2 = less x1 x0; x2}
        return %15
      } {
        %14 : i64 = param
        %15 : i64 = map (%14) {x0: i64 -> x1: i64 = constant 2; x2 = sub x0 x1; x2}
        return %15
      }
      return %14
    } {
      return %11
    }
    %14 : i64 = map (%10) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
    return %14, %13
  }
  %12 : i64 = map (%10, %11) {x0: i64, x1: i64 -> x2: i64 = constant 100; x3 = mul x0 x2; x4 = add x3 x1; x4}
  return %12
)",
               "i64[n0]");
}

TEST_CASE("lift: matrix product by nested vmaps") {
    for (Extents e : {Extents{3, 4, 2}, Extents{1, 1, 1}, Extents{0, 2, 3}, Extents{2, 0, 3}, Extents{2, 3, 0}}) {
        check_lifted(R"(guard n1 = n0.1 "the inner extents"
%0 : f32[n0, n0.1] = input
%1 : f32[n0.1, n1.1] = input
%2 : f32[n1.1, n0.1] = transpose [1, 0] %1
%3 : f32[n0, n1.1] = vmap (%0) {
  %3 : f32[n0.1] = param
  %4 : f32[n1.1] = vmap (%2) {
    %4 : f32[n0.1] = param
    %5 : f32[n0.1] = map (%3, %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
    %6 : f32 = generate () {-> x0: f32 = constant 0; x0}
    %7 : f32 = fold commutative [0] (%5) from (%6) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
    return %7
  }
  return %4
}
return %3
)",
                     {floats({e[0], e[1]}), floats({e[1], e[2]})});
    }
}

TEST_CASE("lift: three vmaps deep, with variables of every depth") {
    for (Extents e : {Extents{2, 3, 4}, Extents{1, 1, 1}, Extents{0, 2, 3}, Extents{2, 0, 3}, Extents{2, 3, 0}}) {
        check_lifted(R"(%0 : i64[n0, n0.1, n0.2] = input
%1 : i64[n1] = input
%2 : i64[n0, n0.1, n0.2, n1] = vmap (%0) {
  %2 : i64[n0.1, n0.2] = param
  %3 : i64 = generate () {-> x0: i64 = constant 1; x0}
  %4 : i64 = fold [0, 1] (%2) from (%3) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %5 : i64[n0.1, n0.2, n1] = vmap (%2) {
    %5 : i64[n0.2] = param
    %6 : i64 = fold [0] (%5; %4) from (%4) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
    %7 : i64[n0.2, n1] = vmap (%5) {
      %7 : i64 = param
      %8 : i64[n1] = map_indexed (%1; %7, %6, %4; %5) {@0: i64^1, x0: i64, x1: i64, x2: i64, x3: i64, x4: i64 -> x5: i64 = constant 0; x6: i64 = read @0 x5; x7 = mul x1 x2; x8 = sub x7 x3; x9 = mul x8 x4; x10 = add x9 x6; x11 = add x10 x0; x11}
      %9 : i64[n1] = scan [0] (%8; %7) from (%6) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
      return %9
    }
    return %7
  }
  return %5
}
return %2
)",
                     {ints(e), ints({3})});
    }
}

TEST_CASE("lift: vmaps in branches and loops, of what a filter leaves") {
    for (std::uint64_t yes : {0u, 1u}) {
        check_lifted(R"(%0 : i64[n0, n0.1] = input
%1 : bool[n0.1] = input
%2 : bool = input
%3 : i64[n0, n0.1] = cond %2 {
  %3 : i64 = generate () {-> x0: i64 = constant 2; x0}
  %4 : i64[n0, n0.1] = for %3 (%0) {
    %4 : i64 = param
    %5 : i64[n0, n0.1] = param
    %6 : i64[n0, n0.1] = vmap (%5) {
      %6 : i64[n0.1] = param
      %7 : i64[n0.1] = scan [0] (%6; %4) from () {x0: i64, x1: i64, x2: i64 -> x3 = add x0 x1; x3}
      return %7
    }
    return %6
  }
  return %4
} {
  return %0
}
%4 : i64[n0.1, n0] = transpose [1, 0] %3
%5 : i64[n0.1] = generate () {x0: i64 -> x0}
%6 : i64, %7 : i64[%6] = compact %1 (%5)
%8 : i64[%6, n0] = vmap (%7) {
  %8 : i64 = param
  %9 : i64[n0] = generate (; %8; %4) {@0: i64^2, x0: i64, x1: i64 -> x2: i64 = read @0 x1 x0; x2}
  %10 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %11 : i64, %12 : i64[n0] = while (%10, %9) {
    %11 : i64 = param
    %12 : i64[n0] = param
    %13 : bool = map (%11, %8) {x0: i64, x1: i64 -> x2 = less x0 x1; x2}
    return %13
  } {
    %11 : i64 = param
    %12 : i64[n0] = param
    %13 : i64 = map (%11) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
    %14 : i64[n0] = map (%12; %6) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
    return %13, %14
  }
  return %12
}
return %3, %6, %8
)",
                     {ints({3, 4}), bools({1, 0, 1, 1}), ArrayValue(Scalar::boolean, {}, std::vector<std::uint64_t>{yes})});
    }
}

TEST_CASE("lift: guards on values keep their variables") {
    check_lifted(R"(guard %4 = 3 "three are kept"
%0 : i64[n0, n0.1] = input
%1 : bool[n0.1] = input
%2 : i64 = generate () {-> x0: i64 = constant 3; x0}
%3 : i64[n0] = vmap (%0) {
  %3 : i64[n0.1] = param
  %4 : i64 = fold [0] (%3; %2) from (%2) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
  %5 : i64 = map (%4, %2) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  return %5
}
%4 : i64, %5 : bool[%4] = compact %1 (%1)
return %3
)",
                 {ints({3, 4}), bools({1, 0, 1, 1})});
}

TEST_CASE("lift: what cannot be flat is a Limitation that says why") {
    const std::string head = R"(%0 : i64[n0, n0.1] = input
%1 : i64 = vmap (%0) {
  %1 : i64[n0.1] = param
  %2 : bool[n0.1] = map (%1) {x0: i64 -> x1: i64 = constant 0; x2 = less x0 x1; x2}
  %3 : i64 = generate (; ; %1) {@0: i64^1 -> x0: i64 = constant 0; x1: i64 = read @0 x0; x1}
)";
    auto limitation = [&](std::string_view body, std::string_view type) {
        std::string text = head + std::string(body) + "}\nreturn %1\n";
        text.replace(text.find("%1 : i64 ="), 10, "%1 : " + std::string(type) + " =");
        return limitation_of(text);
    };
    using Catch::Matchers::Contains;
    CHECK_THAT(limitation("  %4 : i64, %5 : i64[%4] = compact %2 (%1)\n  return %4\n", "i64[n0]"),
               Contains("vmap: filter, partition or compact: every slice has a result of its own size"));
    CHECK_THAT(limitation("  %4 : i64[%3] = generate () {x0: i64 -> x0}\n  return %3\n", "i64[n0]"),
               Contains("vmap: generate: an extent differs from slice to slice"));
    CHECK_THAT(limitation("  %4 : i64[2] = slice [%3:1] %1\n  return %4\n", "i64[n0, 2]"),
               Contains("vmap: slice: the bounds of a slice differ from slice to slice"));
    CHECK_THAT(limitation("  %4 : i64 = foreign \"f\" 0 (%1)\n  return %4\n", "i64[n0]"),
               Contains("vmap: foreign: the arguments of a foreign function differ"));
    CHECK_THAT(
        limitation("  %4 : i64[n0.1] = scatter (%1) at (%1) (%1; %3) {x0: i64, x1: i64, x2: i64 -> x3 = add x0 x1; x4 "
                   "= add x3 x2; x4}\n  return %4\n",
                   "i64[n0, n0.1]"),
        Contains("vmap: scatter: the operator differs from slice to slice"));
}

namespace {

std::string lifted_text(std::string_view text) { return ir::print(enable::lift(program(text))); }

}  // namespace

TEST_CASE("lift: what is made is what one would write without vmap") {
    CHECK(lifted_text(R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0] = vmap (%0) {
  %1 : f32[n0.1] = param
  %2 : f32 = map () {-> x0: f32 = constant 0; x0}
  %3 : f32 = fold commutative [0] (%1) from (%2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %3
}
return %1
)") == R"(%0 : f32[n0, n0.1] = input
%1 : f32 = map () {-> x0: f32 = constant 0; x0}
%2 : f32[n0] = fold commutative [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %2
)");
    CHECK(lifted_text(R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0] = input
%2 : i64[n2] = input
%3 : f32[n0, n2] = vmap (%0, %1) {
  %3 : f32[n0.1] = param
  %4 : f32 = param
  %5 : i64[n2] = map (%2) {x0: i64 -> x1 = abs x0; x1}
  %6 : f32[n2], %7 : i64[n2] = gather (%5) (%3, %5)
  %8 : f32[n2] = map (%6; %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
  return %8
}
return %3
)") == R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0] = input
%2 : i64[n2] = input
%3 : i64[n2] = map (%2) {x0: i64 -> x1 = abs x0; x1}
%4 : i64[n2] = gather (%3) (%3)
%5 : i64[n0, n2] = generate () {x0: i64, x1: i64 -> x0}
%6 : i64[n0, n2] = broadcast [1] %3
%7 : f32[n0, n2] = gather (%5, %6) (%0)
%8 : f32[n0, n2] = broadcast [0] %1
%9 : f32[n0, n2] = map (%7, %8) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
return %9
)");
}

TEST_CASE("lift: programs without vmap stay as they are") {
    const char* text = R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0, n0.1] = map (%0) {x0: f32 -> x1 = negate x0; x1}
return %1
)";
    CHECK(lifted_text(text) == text);
}

TEST_CASE("lift: functions that may fail are masked in branches only") {
    const std::string head = R"(%0 : i64[n0] = input
%1 : i64[n0] = vmap (%0) {
  %1 : i64 = param
)";
    const std::string divided = "map (%1) {x0: i64 -> x1: i64 = constant 100; x2 = div x1 x0; x2}\n";
    CHECK(lifted_text(head + "  %2 : i64 = " + divided + "  return %2\n}\nreturn %1\n").find("cond") == std::string::npos);
    std::string masked = lifted_text(head +
                                     R"(  %2 : bool = map (%1) {x0: i64 -> x1: i64 = constant 0; x2 = not_equal x0 x1; x2}
  %3 : i64 = cond %2 {
    %3 : i64 = )" + divided + R"(    return %3
  } {
    %3 : i64 = map (%1) {x0: i64 -> x1 = negate x0; x1}
    return %3
  }
  return %3
}
return %1
)");
    CHECK(masked.find("cond x1 {") != std::string::npos);
    CHECK(masked.find("cond", masked.find("cond x1 {") + 1) == std::string::npos);
}
