// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow, atan2 and hypot against MPFR, f32 and f64, and on all pairs of special values against Annex F as the C library has
// it.
#include "tests/unit_math/accuracy.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace sinter::ir::math;

namespace {

template <class T>
struct Pairs {
    std::mt19937_64 random{19970402};

    double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53); }

    std::pair<T, T> operator()(const Binary& f, long i) {
        if (i % 4 == 0) return {std::bit_cast<T>(BitsOf<T>(random())), std::bit_cast<T>(BitsOf<T>(random()))};
        if (f.op != sinter::ir::Op::pow) return {any(), any()};
        constexpr int low = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits,
                      high = std::numeric_limits<T>::max_exponent;
        double x = i % 4 == 1   ? std::exp2(uniform(low, high))
                   : i % 4 == 2 ? uniform(0.5, 2)
                                : 1 + uniform(-1, 1) * std::exp2(uniform(-20, -1));
        double l = std::log2(static_cast<double>(static_cast<T>(x)));
        return {static_cast<T>(x),
                static_cast<T>(l == 0 ? 3 : uniform(low - 2, high + 2) / l)};  // results over the whole range
    }
    T any() { return static_cast<T>(uniform(-1, 1) * std::exp2(uniform(-20, 20))); }
};

template <class T>
void compare(long count) {
    Exact exact;
    for (const Binary& f : binary_functions) {
        Worst worst;
        Pairs<T> pairs;
        for (long i = 0; i < count; ++i) {
            auto [x, y] = pairs(f, i);
            T got;
            if constexpr (sizeof(T) == 4)
                got = f.single(x, y);
            else
                got = f.twice(x, y);
            worst.see(ulps(got, exact(f, x, y)), x, y);
        }
        INFO(f.name << " has an error of " << worst.error << " at " << std::hexfloat << worst.x << ", " << worst.y);
        CHECK(worst.error <= (sizeof(T) == 4 ? f.bound32 : f.bound64));
    }
}

template <class T>
std::vector<T> special_values() {
    using L = std::numeric_limits<T>;
    std::vector<T> values = {0,
                             1,
                             2,
                             3,
                             T(0.5),
                             T(2.5),
                             T(1.5),
                             1 + L::epsilon(),
                             1 - L::epsilon() / 2,
                             L::infinity(),
                             L::denorm_min(),
                             L::min(),
                             L::max(),
                             std::ldexp(T(1), L::digits) - 1,
                             std::ldexp(T(1), L::digits),
                             L::quiet_NaN()};
    for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
    return values;
}

}  // namespace

TEST_CASE("functions of two arguments are within their bounds") {
    compare<float>(30'000);
    compare<double>(30'000);
}

TEST_CASE("functions of two arguments are within their bounds, many numbers", "[.long]") {
    compare<float>(10'000'000);
    compare<double>(10'000'000);
}

TEST_CASE("functions of two arguments treat special values as C does") {
    for (const Binary& f : binary_functions) {
        for (float x : special_values<float>())
            for (float y : special_values<float>()) {
                INFO("f32 " << f.name << " " << x << " " << y);
                CHECK(ulps(f.single(x, y), f.libm(x, y)) <= f.bound32);
            }
        for (double x : special_values<double>())
            for (double y : special_values<double>()) {
                INFO("f64 " << f.name << " " << x << " " << y);
                CHECK(ulps(f.twice(x, y), f.libm(x, y)) <= f.bound64 + 1);
            }
    }
}
