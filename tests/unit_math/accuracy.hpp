// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions under test with their references, and the error of a result in ulps.
#pragma once

#include "ir/math/error_function.hpp"
#include "ir/math/exponential.hpp"
#include "ir/math/gamma.hpp"
#include "ir/math/hyperbolic.hpp"
#include "ir/math/inverse_hyperbolic.hpp"
#include "ir/math/inverse_trigonometric.hpp"
#include "ir/math/logarithm.hpp"
#include "ir/math/power.hpp"
#include "ir/math/root.hpp"
#include "ir/math/trigonometric.hpp"
#include "ir/op.hpp"
#include "tests/unit_math/native.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinter::ir::math {

/// As MPFR's other functions are called.
inline int mpfr_tgamma(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding) { return mpfr_gamma(result, x, rounding); }
inline int mpfr_lgamma(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding) {
    int sign = 0;
    return ::mpfr_lgamma(result, &sign, x, rounding);
}

/// A function of one argument; `single` and `twice` are its definition at native speed.
struct Unary {
    const char* name;
    Op op;
    float (*single)(float);
    double (*twice)(double);
    double (*libm)(double);
    int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    double bound32, bound64;  ///< ulps
    double least64 = 0;       ///< f64, negative arguments: of this number where the result is smaller
};

#define SINTER_UNARY(fn, ...)                                                                                               \
    Unary {                                                                                                                 \
        #fn, Op::fn, [](float x) { return fn(Native<float>(x)).value; },                                                    \
            [](double x) { return fn(Native<double>(x)).value; }, [](double x) -> double { return std::fn(x); }, mpfr_##fn, \
            __VA_ARGS__                                                                                                     \
    }
inline const Unary unary_functions[] = {
    SINTER_UNARY(exp, 1, 1),     SINTER_UNARY(exp2, 1, 1),   SINTER_UNARY(expm1, 1, 1.25),
    SINTER_UNARY(log, 1, 1),     SINTER_UNARY(log2, 1, 1),   SINTER_UNARY(log10, 1, 1),
    SINTER_UNARY(log1p, 1, 1),   SINTER_UNARY(sin, 1, 1),    SINTER_UNARY(cos, 1, 1),
    SINTER_UNARY(tan, 1, 1.25),  SINTER_UNARY(asin, 1, 1),   SINTER_UNARY(acos, 1, 1),
    SINTER_UNARY(atan, 1, 1.25), SINTER_UNARY(sinh, 1, 1),   SINTER_UNARY(cosh, 1, 1),
    SINTER_UNARY(tanh, 1, 1.25), SINTER_UNARY(asinh, 1, 1),  SINTER_UNARY(acosh, 1, 1),
    SINTER_UNARY(atanh, 1, 1),   SINTER_UNARY(cbrt, 1, 1),   SINTER_UNARY(erf, 1, 1.25),
    SINTER_UNARY(erfc, 1, 1.25), SINTER_UNARY(tgamma, 1, 1), SINTER_UNARY(lgamma, 1, 1.25, 0.0625)};
#undef SINTER_UNARY

/// A function of two arguments.
struct Binary {
    const char* name;
    Op op;
    float (*single)(float, float);
    double (*twice)(double, double);
    double (*libm)(double, double);
    int (*exact)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
    double bound32, bound64;
};

#define SINTER_BINARY(fn, bound32, bound64)                                                         \
    Binary {                                                                                        \
        #fn, Op::fn, [](float x, float y) { return fn(Native<float>(x), Native<float>(y)).value; }, \
            [](double x, double y) { return fn(Native<double>(x), Native<double>(y)).value; },      \
            [](double x, double y) -> double { return std::fn(x, y); }, mpfr_##fn, bound32, bound64 \
    }
inline const Binary binary_functions[] = {SINTER_BINARY(pow, 1, 1), SINTER_BINARY(atan2, 1, 1.25),
                                          SINTER_BINARY(hypot, 1, 1)};
#undef SINTER_BINARY

/// Wrong in kind: a NaN, an infinity, or a zero where there should be none, or of the wrong sign.
inline constexpr double wrong = 1e9;

/// |got - want| in ulps of want in the format T, or of `least` if that is greater; `want` has more precision than T. A
/// result that rounds to infinity may also be the largest finite number, and the other way round, if want is within an ulp
/// of that border.
template <class T>
double ulps(T got, long double want, long double least = 0) {
    constexpr int digits = std::numeric_limits<T>::digits, lowest = std::numeric_limits<T>::min_exponent - digits;
    if (std::isnan(want)) return std::isnan(got) ? 0 : wrong;
    if (std::isnan(got)) return wrong;
    if (std::fabs(want) < least) return static_cast<double>(std::fabs(got - want) / std::ldexp(least, 1 - digits));
    if (std::signbit(got) != std::signbit(want)) return wrong;
    if (want == 0 || std::isinf(want)) return got == want ? 0 : wrong;
    long double limit = std::ldexp(1.0L, std::numeric_limits<T>::max_exponent),
                value = std::isinf(got) ? std::copysign(limit, want) : got;
    int exponent = 0;
    std::frexp(std::fabs(want) < limit ? want : static_cast<long double>(std::numeric_limits<T>::max()), &exponent);
    if (std::fabs(want) >= limit && std::isinf(got)) return 0;
    return static_cast<double>(std::fabs(value - want) / std::ldexp(1.0L, std::max(exponent - digits, lowest)));
}

/// An MPFR function rounded to 64 bits.
class Exact {
  public:
    Exact() { mpfr_inits2(64, result_, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
    ~Exact() { mpfr_clears(result_, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
    Exact(const Exact&) = delete;
    Exact& operator=(const Exact&) = delete;

    long double operator()(const Unary& f, double x) {
        mpfr_set_d(x_, x, MPFR_RNDN);
        f.exact(result_, x_, MPFR_RNDN);
        return mpfr_get_ld(result_, MPFR_RNDN);
    }
    long double operator()(const Binary& f, double x, double y) {
        mpfr_set_d(x_, x, MPFR_RNDN);
        mpfr_set_d(y_, y, MPFR_RNDN);
        f.exact(result_, x_, y_, MPFR_RNDN);
        return mpfr_get_ld(result_, MPFR_RNDN);
    }

  private:
    mpfr_t result_, x_, y_;
};

/// The error of the f64 definition at x, in ulps.
inline double error_at(const Unary& f, double x, Exact& exact) {
    return ulps(f.twice(x), exact(f, x), x < 0 ? f.least64 : 0);
}

/// The largest error seen, and where.
struct Worst {
    double error = -1;
    double x = 0, y = 0;
    void see(double e, double at_x, double at_y = 0) {
        if (e > error) *this = {e, at_x, at_y};
    }
};

}  // namespace sinter::ir::math
