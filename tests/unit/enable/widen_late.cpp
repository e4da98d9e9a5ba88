// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves are widened by the maps that read them repeatedly, and nowhere else.
#include "enable/widen_late.hpp"

#include "ir/evaluate.hpp"
#include "opt/passes.hpp"
#include "same_results.hpp"

using namespace sinter;
using Catch::Contains;
using interp::ArrayValue;
using ir::Scalar;

namespace {

/// On programs with the input %0: f16[n0, n0.1].
std::string after(const std::string& body) {
    auto inputs = [](const enable::test::Sizes&) {
        ArrayValue value(Scalar::f16, {4, 5});
        for (std::int64_t k = 0; k < value.count(); ++k)
            value.set(k, ir::from_double(Scalar::f16, static_cast<double>(k * 7 % 11 - 4)));
        return std::vector{value};
    };
    return enable::test::after([](const ir::Program& program) { return opt::dead_code(enable::widen_late(program)); },
                               "%0 : f16[n0, n0.1] = input\n" + body, {{}}, inputs);
}

const std::string cast = " {x0: f16 -> x1: f32 = cast x0; x1}\n";
const std::string product = " {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}\n";

}  // namespace

TEST_CASE("widen_late: factors of a product stay halves") {
    const std::string text = after("%1 : f32[n0, n0.1] = map (%0)" + cast + "%2 : f16[n0.1, n0] = transpose [1, 0] %0\n" +
                                   "%3 : f32[n0.1, n0] = map (%2)" + cast +
                                   "%4 : f32[n0, n0, n0.1] = broadcast [0, 2] %1\n"
                                   "%5 : f32[n0, n0.1] = transpose [1, 0] %3\n"
                                   "%6 : f32[n0, n0, n0.1] = broadcast [1, 2] %5\n"
                                   "%7 : f32[n0, n0, n0.1] = map (%4, %6)" +
                                   product + "return %7");
    CHECK_THAT(text, !Contains("= map (%0)") && !Contains(": f32[n0, n0.1]") && !Contains(": f32[n0.1, n0]"));
    CHECK_THAT(text, Contains("f16[n0, n0, n0.1] = broadcast [0, 2] %0"));
    CHECK_THAT(text, Contains("{x0: f16, x1: f16 -> x2: f32 = cast x0; x3: f32 = cast x1; x4 = mul x2 x3; x4}"));
}

TEST_CASE("widen_late: what is returned, too, is also stored") {
    const std::string text = after("%1 : f32[n0, n0.1] = map (%0)" + cast +
                                   "%2 : f32[n0, n0, n0.1] = broadcast [0, 2] %1\n"
                                   "%3 : f32[n0, n0, n0.1] = map (%2, %2)" +
                                   product + "return %3, %1");
    CHECK_THAT(text, Contains(": f32[n0, n0.1] = map (%0)"));
    CHECK_THAT(text, Contains("f16[n0, n0, n0.1] = broadcast [0, 2] %0"));
}

TEST_CASE("widen_late: what is read once, or is no plain cast, stays") {
    const std::string once = after("%1 : f32[n0, n0.1] = map (%0)" + cast + "%2 : f32[n0.1, n0] = transpose [1, 0] %1\n" +
                                   "%3 : f32[n0.1, n0] = map (%2, %2)" + product + "return %3");
    CHECK_THAT(once, !Contains("f16[n0.1, n0]"));
    const std::string more = after(
        "%1 : f32[n0, n0.1] = map (%0) {x0: f16 -> x1: f32 = cast x0; x2 = mul x1 x1; x2}\n"
        "%2 : f32[n0, n0, n0.1] = broadcast [0, 2] %1\n"
        "%3 : f32[n0, n0, n0.1] = map (%2, %2)" +
        product + "return %3");
    CHECK_THAT(more, !Contains("f16[n0, n0, n0.1]"));
}
