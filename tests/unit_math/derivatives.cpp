// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivative of every scalar operation (lib/ir/derivative/partials.cpp) by every operand, in both modes, against MPFR: a
// central difference with so many digits that its error is far below an ulp.
#include "interp/function.hpp"
#include "ir/builder.hpp"
#include "ir/derivative/adjoint_function.hpp"
#include "ir/derivative/dual_function.hpp"
#include "ir/math/expand.hpp"
#include "tests/unit_math/accuracy.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <random>

using namespace sinter::ir;
using namespace sinter::ir::math;

namespace {

constexpr mpfr_prec_t precision = 700;
constexpr long step_bits = 200;  // the step is 2^-200 of the argument; the error of the difference 2^-400 of the derivative

class Number {
  public:
    Number() { mpfr_init2(value_, precision); }
    explicit Number(double x) : Number() { mpfr_set_d(value_, x, MPFR_RNDN); }
    ~Number() { mpfr_clear(value_); }
    Number(const Number& other) : Number() { mpfr_set(value_, other.value_, MPFR_RNDN); }
    Number& operator=(const Number&) = delete;
    operator mpfr_ptr() { return value_; }
    operator mpfr_srcptr() const { return value_; }

  private:
    mpfr_t value_;
};

/// An operation, and where it is compared. The error of its derivatives is counted in ulps of `least` where they are
/// smaller: there they are differences of numbers of that size.
struct Line {
    Op op;
    std::size_t operands;
    std::function<void(mpfr_ptr, const std::vector<Number>&)> exact;
    std::vector<std::pair<double, double>> ranges;  ///< of the operands
    double ulps;
    double least = 0;
};

using Function1 = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
using Function2 = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

Line line(Op op, Function1 f, double low, double high, double ulps, double least = 0) {
    auto exact = [f](mpfr_ptr r, const std::vector<Number>& x) { f(r, x[0], MPFR_RNDN); };
    return {op, 1, exact, {{low, high}}, ulps, least};
}
Line line(Op op, Function2 f, std::pair<double, double> x, std::pair<double, double> y, double ulps, double least = 0) {
    auto exact = [f](mpfr_ptr r, const std::vector<Number>& a) { f(r, a[0], a[1], MPFR_RNDN); };
    return {op, 2, exact, {x, y}, ulps, least};
}

int log_gamma(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
    int sign = 0;
    return ::mpfr_lgamma(r, &sign, x, rounding);
}

const std::pair<double, double> any{-1e3, 1e3};

/// The bounds are above what was measured, of many numbers.
std::vector<Line> lines() {
    auto fma = [](mpfr_ptr r, const std::vector<Number>& x) { mpfr_fma(r, x[0], x[1], x[2], MPFR_RNDN); };
    return {
        line(Op::add, mpfr_add, any, any, 0),
        line(Op::sub, mpfr_sub, any, any, 0),
        line(Op::mul, mpfr_mul, any, any, 0),
        line(Op::div, mpfr_div, any, any, 2),
        line(Op::rem, mpfr_fmod, any, any, 0),
        {Op::fma, 3, fma, {any, any, any}, 0},
        line(Op::negate, mpfr_neg, -1e3, 1e3, 0),
        line(Op::abs, mpfr_abs, -1e3, 1e3, 0),
        line(Op::copysign, mpfr_copysign, any, any, 0),
        line(Op::minimum, mpfr_min, any, any, 0),
        line(Op::maximum, mpfr_max, any, any, 0),
        line(Op::fmin, mpfr_min, any, any, 0),
        line(Op::fmax, mpfr_max, any, any, 0),
        line(Op::sqrt, mpfr_sqrt, 0, 1e3, 2),
        line(Op::cbrt, mpfr_cbrt, -1e3, 1e3, 4),
        line(Op::exp, mpfr_exp, -700, 700, 2),
        line(Op::exp2, mpfr_exp2, -1000, 1000, 2),
        line(Op::expm1, mpfr_expm1, -30, 700, 2, 1),
        line(Op::log, mpfr_log, 0, 1e3, 1),
        line(Op::log2, mpfr_log2, 0, 1e3, 2),
        line(Op::log10, mpfr_log10, 0, 1e3, 2),
        line(Op::log1p, mpfr_log1p, -1, 1e3, 2),
        line(Op::sin, mpfr_sin, -1e3, 1e3, 1),
        line(Op::cos, mpfr_cos, -1e3, 1e3, 1),
        line(Op::tan, mpfr_tan, -1e3, 1e3, 4),
        line(Op::asin, mpfr_asin, -1, 1, 3),
        line(Op::acos, mpfr_acos, -1, 1, 3),
        line(Op::atan, mpfr_atan, -1e3, 1e3, 3),
        line(Op::sinh, mpfr_sinh, -700, 700, 1),
        line(Op::cosh, mpfr_cosh, -700, 700, 1),
        line(Op::tanh, mpfr_tanh, -20, 20, 3, 1),
        line(Op::asinh, mpfr_asinh, -1e3, 1e3, 3),
        line(Op::acosh, mpfr_acosh, 1, 1e3, 3),
        line(Op::atanh, mpfr_atanh, -1, 1, 3),
        line(Op::erf, mpfr_erf, -26, 26, 4, 1),
        line(Op::erfc, mpfr_erfc, -26, 26, 4, 1),
        line(Op::lgamma, log_gamma, 0, 1e2, 4, 1),
        line(Op::tgamma, ::mpfr_gamma, 0, 1e2, 8, 1),
        line(Op::pow, mpfr_pow, {0, 1e3}, {-50, 50}, 4),
        line(Op::pow, mpfr_pow, {0, 1e300}, {-1, 1}, 4),
        line(Op::pow, mpfr_pow, {0x1p-1000, 0x1p-900}, {0, 1.3}, 4, 0x1p-960),  // some results have few digits
        line(Op::atan2, mpfr_atan2, any, any, 4),
        line(Op::hypot, mpfr_hypot, any, any, 2),
    };
}

long double exact_derivative(const Line& line, const std::vector<double>& at, std::size_t by) {
    std::vector<Number> x(at.begin(), at.end());
    Number step(std::abs(at[by])), above, below;
    mpfr_mul_2si(step, step, -step_bits, MPFR_RNDN);
    const Number middle(x[by]);
    mpfr_add(x[by], middle, step, MPFR_RNDN);
    line.exact(above, x);
    mpfr_sub(x[by], middle, step, MPFR_RNDN);
    line.exact(below, x);
    mpfr_sub(above, above, below, MPFR_RNDN);
    mpfr_div(above, above, step, MPFR_RNDN);
    mpfr_div_ui(above, above, 2, MPFR_RNDN);
    return mpfr_get_ld(above, MPFR_RNDN);
}

Fn one_operation(const Line& line) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(line.operands, Scalar::f64));
    std::vector<Local> operands;
    for (std::size_t k = 0; k < line.operands; ++k) operands.push_back(Local(k));
    const Local result = builder.emit(Inst{line.op, {Scalar::f64}, 0, operands, {}});
    return {{}, builder.close({result})};
}

/// The derivative by an operand, with a tangent or cotangent of 1 as the last parameter.
Fn forward(const Fn& fn, std::size_t by) {
    derivative::DualPlaces places;
    for (std::size_t k = 0; k < fn.body.params.size(); ++k) places.primal.push_back(places.add(Scalar::f64));
    places.tangents.resize(places.primal.size());
    places.tangents[by] = places.add(Scalar::f64);
    Fn made = derivative::dual_function(fn, places, true).fn;
    made.body.results.erase(made.body.results.begin());
    return expand_math(canonical(made));
}
Fn reverse(const Fn& fn, std::size_t by) {
    derivative::AdjointPlaces places;
    for (std::size_t k = 0; k < fn.body.params.size(); ++k) places.primal.push_back(places.add(Scalar::f64));
    places.wanted.resize(places.primal.size());
    places.wanted[by] = true;
    places.cotangents.push_back(places.add(Scalar::f64));
    return expand_math(derivative::adjoint_function(fn, places).fn);
}

double value(const Fn& fn, const std::vector<double>& at) {
    if (fn.body.results.empty()) return 0;  // nothing contributes
    std::vector<std::uint64_t> arguments, results;
    for (double x : at) arguments.push_back(std::bit_cast<std::uint64_t>(x));
    arguments.push_back(std::bit_cast<std::uint64_t>(1.0));
    sinter::interp::FunctionMachine(fn, {})(arguments, results);
    return std::bit_cast<double>(results.at(0));
}

/// Half of them spread over the range, half near one of its ends or near 0.
double some_number(std::mt19937_64& random, std::pair<double, double> range) {
    auto uniform = [&](double low, double high) {
        return low + (high - low) * ((static_cast<double>(random() >> 11) + 0.5) * 0x1p-53);
    };
    const auto [low, high] = range;
    if (random() % 2 == 0) return uniform(low, high);
    const double small = (high - low) * std::exp2(uniform(-30, -1));
    if (low < 0 && high > 0 && random() % 2 == 0) return random() % 2 == 0 ? std::min(small, high) : std::max(-small, low);
    return random() % 2 == 0 ? low + small : high - small;
}

/// At infinity or beyond the domain there is nothing to compare.
void compare(long count) {
    for (const Line& line : lines()) {
        const Fn fn = one_operation(line);
        for (std::size_t by = 0; by < line.operands; ++by) {
            const Fn both[] = {forward(fn, by), reverse(fn, by)};
            std::mt19937_64 random(20260101);
            Worst worst;
            long compared = 0;
            for (long i = 0; i < count; ++i) {
                std::vector<double> at;
                for (std::size_t k = 0; k < line.operands; ++k) at.push_back(some_number(random, line.ranges[k]));
                const long double want = exact_derivative(line, at, by);
                if (at[by] == 0 || !std::isfinite(static_cast<double>(want))) continue;
                ++compared;
                for (const Fn& mode : both) {
                    const double got = value(mode, at);
                    const double error = got == 0 && want == 0 ? 0 : ulps(got, want, line.least);
                    worst.see(error, at[0], at.back());
                }
            }
            INFO(info(line.op).name << " by operand " << by << " has an error of " << worst.error << " at " << std::hexfloat
                                    << worst.x << ", " << worst.y);
            CHECK(compared > count / 2);
            CHECK(worst.error <= line.ulps);
        }
    }
}

}  // namespace

TEST_CASE("the derivatives of scalar operations are within their bounds") { compare(300); }

TEST_CASE("the derivatives of scalar operations are within their bounds, many numbers", "[.long]") { compare(6000); }
