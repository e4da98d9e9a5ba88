// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions recorded in the IR compute what the native instantiation computes, bit for bit.
#include "ir/math/definition.hpp"

#include "interp/function.hpp"
#include "ir/math/expand.hpp"
#include "support/half.hpp"
#include "tests/unit_math/accuracy.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace sinter::ir::math;
using sinter::ir::definition;
using sinter::ir::Fn;
using sinter::ir::Scalar;

namespace {

std::uint64_t evaluate(const Fn& fn, std::vector<std::uint64_t> arguments) {
    std::vector<std::uint64_t> results;
    sinter::interp::FunctionMachine(fn, {})(arguments, results);
    return results.at(0);
}

/// All NaNs are one.
std::uint64_t pattern(float x) { return std::isnan(x) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(x); }
std::uint64_t pattern(double x) { return std::isnan(x) ? 0x7ff8000000000000ull : std::bit_cast<std::uint64_t>(x); }
float single(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
double twice(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// Any bit pattern, or a number of moderate size.
template <class T>
T number(std::mt19937_64& random, int i) {
    std::uint64_t bits = random();
    if (i % 2 == 0) return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
    return static_cast<T>(
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits)), static_cast<int>(random() % 40) - 75));
}

}  // namespace

TEST_CASE("definitions of one argument in the IR are the native ones") {
    std::mt19937_64 random(1);
    for (const Unary& f : unary_functions)
        for (int i = 0; i < 200; ++i) {
            auto x = number<float>(random, i);
            auto y = number<double>(random, i);
            INFO(f.name << " " << x << " " << y);
            CHECK(pattern(single(evaluate(definition(f.op, Scalar::f32), {std::bit_cast<std::uint32_t>(x)}))) ==
                  pattern(f.single(x)));
            CHECK(pattern(twice(evaluate(definition(f.op, Scalar::f64), {std::bit_cast<std::uint64_t>(y)}))) ==
                  pattern(f.twice(y)));
        }
}

TEST_CASE("definitions of two arguments in the IR are the native ones") {
    std::mt19937_64 random(2);
    for (const Binary& f : binary_functions)
        for (int i = 0; i < 200; ++i) {
            auto x = number<float>(random, i), y = number<float>(random, i);
            auto u = number<double>(random, i), v = number<double>(random, i);
            INFO(f.name << " " << x << " " << y << ", " << u << " " << v);
            CHECK(pattern(single(evaluate(definition(f.op, Scalar::f32),
                                          {std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y)}))) ==
                  pattern(f.single(x, y)));
            CHECK(pattern(twice(evaluate(definition(f.op, Scalar::f64),
                                         {std::bit_cast<std::uint64_t>(u), std::bit_cast<std::uint64_t>(v)}))) ==
                  pattern(f.twice(u, v)));
        }
}

TEST_CASE("f16 functions are the f32 functions, rounded") {
    for (const Unary& f : unary_functions)
        for (std::uint32_t bits = 0; bits < 0x10000; bits += 257) {
            auto x = static_cast<std::uint16_t>(bits);
            float want = f.single(sinter::float_from_half(x));
            auto got = static_cast<std::uint16_t>(evaluate(definition(f.op, Scalar::f16), {x}));
            INFO(f.name << " " << sinter::float_from_half(x));
            if (std::isnan(want))
                CHECK(std::isnan(sinter::float_from_half(got)));
            else
                CHECK(got == sinter::half_from(want));
        }
}

TEST_CASE("a definition is made once and contains no math operation") {
    for (const Unary& f : unary_functions)
        for (Scalar type : {Scalar::f16, Scalar::f32, Scalar::f64}) {
            INFO(f.name);
            CHECK(&definition(f.op, type) == &definition(f.op, type));
            CHECK_FALSE(sinter::ir::has_math(definition(f.op, type).body));
        }
}
