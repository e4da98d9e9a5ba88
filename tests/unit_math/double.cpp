// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f64 functions against MPFR: random bit patterns, random numbers of the ranges where functions are interesting, and points
// at which definitions change their method.
#include "tests/unit_math/accuracy.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace sinter::ir::math;

namespace {

class Numbers {
  public:
    double operator()(long i) {
        switch (i % 5) {
            case 0:
                return std::bit_cast<double>(random_());
            case 1:
                return uniform(-2, 2);
            case 2:
                return uniform(-1, 1) * std::exp2(uniform(-40, 40));
            case 3:
                return uniform(-760, 760);
            default:
                return near_critical();
        }
    }
    double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(random_() >> 11) * 0x1p-53); }

  private:
    double near_critical() {
        constexpr double points[] = {0.5,
                                     0.7,
                                     0.8,
                                     1,
                                     0.34657359027997264,
                                     1.4142135623730951,
                                     0.7071067811865476,
                                     2,
                                     6.5,
                                     20,
                                     0.875,
                                     1.125,
                                     1.875,
                                     2.125,
                                     2.4570247382208006,
                                     8,
                                     171.62437695630272,
                                     1.5707963267948966,
                                     3.141592653589793,
                                     33554432,
                                     709.782712893384,
                                     745.1332191019412,
                                     26.5,
                                     5.319372648326541e+255,
                                     1e22,
                                     0x1p-1022,
                                     0x1p-1074,
                                     0x1p60,
                                     0x1p53};
        double point = points[random_() % std::size(points)];
        auto bits = std::bit_cast<std::uint64_t>(point) + random_() % 16 - 8;
        return std::copysign(std::bit_cast<double>(bits), random_() % 2 == 0 ? 1.0 : -1.0);
    }
    std::mt19937_64 random_{20240229};
};

void compare(long count) {
    Exact exact;
    for (const Unary& f : unary_functions) {
        Worst worst;
        Numbers numbers;
        for (long i = 0; i < count; ++i) {
            double x = numbers(i);
            worst.see(error_at(f, x, exact), x);
        }
        INFO(f.name << " has an error of " << worst.error << " at " << std::hexfloat << worst.x);
        CHECK(worst.error <= f.bound64);
    }
}

}  // namespace

TEST_CASE("f64 functions are within their bounds") { compare(4000); }

TEST_CASE("f64 functions are within their bounds, many numbers", "[.long]") { compare(3'000'000); }

TEST_CASE("f64 arguments next to multiples of pi/2 are reduced exactly") {
    // 5.3e255 (Kahan's worst case, within 2^-60 of a multiple), 2^1023, the largest number, and multiples of the rounded
    // pi/2.
    Exact exact;
    std::vector<double> points = {6381956970095103.0 * 0x1p797, 0x1p1023, 0x1.fffffffffffffp1023, 1e300};
    for (int k = 1; k < 3000; ++k) points.push_back(k * 1.5707963267948966);
    for (const Unary& f : unary_functions)
        if (f.op == sinter::ir::Op::sin || f.op == sinter::ir::Op::cos || f.op == sinter::ir::Op::tan)
            for (double x : points) {
                INFO(f.name << " " << std::hexfloat << x);
                CHECK(ulps(f.twice(x), exact(f, x)) <= f.bound64);
            }
}
