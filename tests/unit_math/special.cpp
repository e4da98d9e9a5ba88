// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C, Annex F.10 says of particular arguments.
#include "tests/unit_math/accuracy.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sinter::ir::math;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), quiet = std::numeric_limits<double>::quiet_NaN();

struct Case {
    const char* function;
    double argument, result;
};

constexpr Case cases[] = {
    {"exp", 0, 1},
    {"exp", -0.0, 1},
    {"exp", -inf, 0},
    {"exp", inf, inf},
    {"exp", 1e9, inf},
    {"exp", -1e9, 0},
    {"exp2", 0, 1},
    {"exp2", -inf, 0},
    {"exp2", inf, inf},
    {"exp2", 10, 1024},
    {"exp2", -3, 0.125},
    {"exp2", 127, 0x1p127},
    {"exp2", -149, 0x1p-149},
    {"expm1", 0, 0},
    {"expm1", -0.0, -0.0},
    {"expm1", -inf, -1},
    {"expm1", inf, inf},
    {"expm1", -1e9, -1},
    {"log", 1, 0},
    {"log", 0, -inf},
    {"log", -0.0, -inf},
    {"log", -1, quiet},
    {"log", -inf, quiet},
    {"log", inf, inf},
    {"log2", 1, 0},
    {"log2", 0, -inf},
    {"log2", -1, quiet},
    {"log2", inf, inf},
    {"log2", 0x1p100, 100},
    {"log2", 0x1p-149, -149},
    {"log10", 1, 0},
    {"log10", 0, -inf},
    {"log10", -1, quiet},
    {"log10", inf, inf},
    {"log10", 1000, 3},
    {"log10", 1e10, 10},
    {"log1p", 0, 0},
    {"log1p", -0.0, -0.0},
    {"log1p", -1, -inf},
    {"log1p", -2, quiet},
    {"log1p", inf, inf},
    {"sin", 0, 0},
    {"sin", -0.0, -0.0},
    {"sin", inf, quiet},
    {"sin", -inf, quiet},
    {"cos", 0, 1},
    {"cos", -0.0, 1},
    {"cos", inf, quiet},
    {"tan", 0, 0},
    {"tan", -0.0, -0.0},
    {"tan", inf, quiet},
    {"asin", 0, 0},
    {"asin", -0.0, -0.0},
    {"asin", 1.5, quiet},
    {"asin", -inf, quiet},
    {"acos", 1, 0},
    {"acos", 1.5, quiet},
    {"acos", -1.5, quiet},
    {"acos", inf, quiet},
    {"atan", 0, 0},
    {"atan", -0.0, -0.0},
    {"sinh", 0, 0},
    {"sinh", -0.0, -0.0},
    {"sinh", inf, inf},
    {"sinh", -inf, -inf},
    {"sinh", 1e9, inf},
    {"cosh", 0, 1},
    {"cosh", -0.0, 1},
    {"cosh", inf, inf},
    {"cosh", -inf, inf},
    {"tanh", 0, 0},
    {"tanh", -0.0, -0.0},
    {"tanh", inf, 1},
    {"tanh", -inf, -1},
    {"asinh", 0, 0},
    {"asinh", -0.0, -0.0},
    {"asinh", inf, inf},
    {"asinh", -inf, -inf},
    {"acosh", 1, 0},
    {"acosh", 0.5, quiet},
    {"acosh", -inf, quiet},
    {"acosh", inf, inf},
    {"atanh", 0, 0},
    {"atanh", -0.0, -0.0},
    {"atanh", 1, inf},
    {"atanh", -1, -inf},
    {"atanh", 1.5, quiet},
    {"atanh", -inf, quiet},
    {"cbrt", 0, 0},
    {"cbrt", -0.0, -0.0},
    {"cbrt", inf, inf},
    {"cbrt", -inf, -inf},
    {"cbrt", 27, 3},
    {"cbrt", -0.125, -0.5},
    {"erf", 0, 0},
    {"erf", -0.0, -0.0},
    {"erf", inf, 1},
    {"erf", -inf, -1},
    {"erfc", 0, 1},
    {"erfc", inf, 0},
    {"erfc", -inf, 2},
    {"erfc", 1e9, 0},
    {"tgamma", 0, inf},
    {"tgamma", -0.0, -inf},
    {"tgamma", 1, 1},
    {"tgamma", 2, 1},
    {"tgamma", 11, 3628800},
    {"tgamma", -1, quiet},
    {"tgamma", -1e9, quiet},
    {"tgamma", 1e9, inf},
    {"tgamma", -200.5, -0.0},
    {"tgamma", -201.5, 0},
    {"tgamma", inf, inf},
    {"tgamma", -inf, quiet},
    {"lgamma", 0, inf},
    {"lgamma", -0.0, inf},
    {"lgamma", 1, 0},
    {"lgamma", 2, 0},
    {"lgamma", -1, inf},
    {"lgamma", -1e9, inf},
    {"lgamma", inf, inf},
    {"lgamma", -inf, inf},
};

template <class T>
bool same(T a, T b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE("functions have the special values of C, Annex F") {
    for (const Case& c : cases) {
        INFO(c.function << " " << c.argument);
        const Unary* f = std::find_if(std::begin(unary_functions), std::end(unary_functions),
                                      [&](const Unary& u) { return std::string(u.name) == c.function; });
        CHECK(same(f->single(static_cast<float>(c.argument)), static_cast<float>(c.result)));
        CHECK(same(f->twice(c.argument), c.result));
    }
}

TEST_CASE("a NaN argument gives a NaN") {
    for (const Unary& f : unary_functions) {
        INFO(f.name);
        CHECK(std::isnan(f.single(std::numeric_limits<float>::quiet_NaN())));
        CHECK(std::isnan(f.twice(quiet)));
        CHECK(std::isnan(f.single(std::bit_cast<float>(0xff800001u))));
    }
}

TEST_CASE("overflow and underflow thresholds and subnormal numbers are exact to the bound") {
    Exact exact;
    for (const Unary& f : unary_functions) {
        for (float x :
             {88.722839f, 88.722840f, -87.33655f, -103.97207f, -103.97209f, 128.0f, -149.5f, 89.41598f, 89.41599f, 10.05f,
              10.06f, 0x1p-126f, 0x1p-149f, 0x1.8p-140f, 0x1.fffffep127f, 0x1p-25f, -1.0f, -0x1.fffffep-1f}) {
            INFO("f32 " << f.name << " " << x);
            CHECK(ulps(f.single(x), exact(f, x)) <= f.bound32);
        }
        for (double x : {709.78271289338397, 709.78271289338409, -708.39641853226408, -745.13321910194110,
                         -745.13321910194122, 1024.0, -1074.5, 710.47586007394386, 710.47586007394398, 26.54, 27.22, 27.3,
                         0x1p-1022, 0x1p-1074, 0x1.8p-1040, 0x1.fffffffffffffp1023, 0x1p-54, -0x1.fffffffffffffp-1}) {
            INFO("f64 " << f.name << " " << x);
            CHECK(error_at(f, x, exact) <= f.bound64);
        }
    }
}
