// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 functions of one argument on a sample of the 2^32 inputs, and on all of them (long). The reference is the C library in
// f64, whose error is below 2^-28 ulp of f32; where that could decide, MPFR does.
#include "tests/unit_math/accuracy.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <thread>

using namespace sinter::ir::math;

namespace {

Worst sweep(const Unary& f, std::uint64_t first, std::uint64_t step) {
    Worst worst;
    Exact exact;
    for (std::uint64_t bits = first; bits < (1ull << 32); bits += step) {
        float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits)), y = f.single(x);
        double want = f.libm(x), error = 0.5;  // at most, when y is what the reference rounds to
        if (y != static_cast<float>(want) || y == 0) error = ulps(y, want);
        if (error > 0.99) error = ulps(y, exact(f, x));
        worst.see(error, x);
    }
    return worst;
}

}  // namespace

TEST_CASE("f32 functions are within their bounds on a sample of all inputs") {
    for (const Unary& f : unary_functions) {
        Worst worst = sweep(f, 0, 4099);
        INFO(f.name << " has an error of " << worst.error << " at " << worst.x);
        CHECK(worst.error <= f.bound32);
    }
}

TEST_CASE("f32 functions are within their bounds everywhere", "[.long]") {
    for (const Unary& f : unary_functions) DYNAMIC_SECTION(f.name) {  // one alone: -c exp
            std::array<Worst, 2> worst;
            std::thread other([&] { worst[1] = sweep(f, 1, 2); });
            worst[0] = sweep(f, 0, 2);
            other.join();
            if (worst[1].error > worst[0].error) std::swap(worst[0], worst[1]);
            WARN(f.name << ": " << worst[0].error << " ulp at " << std::hexfloat << worst[0].x);
            CHECK(worst[0].error <= f.bound32);
        }
}
