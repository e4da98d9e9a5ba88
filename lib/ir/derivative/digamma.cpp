// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// psi(x) = psi(1 - x) - pi / tan(pi x) for x < 1/2 (Abramowitz and Stegun, 6.3.7); psi(x) = psi(x + 1) - 1 / x (6.3.5) until
// x >= 10; then the asymptotic series log x - 1 / 2x - sum of B_2k / (2k x^2k) (6.3.18), whose tenth term is below 2^-60.
// The reciprocals are summed with their rounding errors and those of the sums (Ogita, Rump and Oishi, "Accurate Sum and Dot
// Product", SIAM J. Sci. Comput. 2005): next to the zero at 1.46, the sum is twice as large as what remains of it.
#include "ir/derivative/digamma.hpp"

#include <numbers>

namespace sinter::ir::derivative {

namespace {

constexpr int steps = 10;
constexpr double series[] = {1. / 12, -1. / 120, 1. / 252, -1. / 240, 1. / 132, -691. / 32760, 1. / 12, -3617. / 8160};

/// log y minus this is psi(y), for y >= 10.
Local below_logarithm(Terms& t, Local y) {
    const Local inverse = t.reciprocal(y), square = t.square(inverse);
    Local sum = t.number_like(y, series[std::size(series) - 1]);
    for (std::size_t k = std::size(series) - 1; k-- > 0;) sum = t.add(t.mul(sum, square), t.number_like(y, series[k]));
    return t.add(t.mul(inverse, t.number_like(y, 0.5)), t.mul(square, sum));
}

/// high + low
struct Sum {
    Local high, low;
};

/// sum + a; `low` gets what high + a loses by rounding.
Sum plus(Terms& t, Sum sum, Local a) {
    const Local high = t.add(sum.high, a), part = t.sub(high, sum.high);
    const Local lost = t.add(t.sub(sum.high, t.sub(high, part)), t.sub(a, part));
    return {high, t.add(sum.low, lost)};
}

/// For x >= 1/2.
Local on_the_right(Terms& t, Local x) {
    const Local limit = t.number_like(x, steps), one = t.number_like(x, 1), zero = t.number_like(x, 0);
    Local y = x;
    Sum sum{zero, zero};
    for (int k = 0; k < steps; ++k) {
        const Local small = t.apply(Op::less, y, limit), r = t.reciprocal(y);
        const Local residual = t.to().emit(Op::fma, {t.negate(y), r, one});  // 1 - y r, exactly
        sum = plus(t, sum, t.select(small, r, zero));
        sum.low = t.add(sum.low, t.select(small, t.mul(r, residual), zero));
        y = t.select(small, t.add(y, one), y);
    }
    const Sum all = plus(t, {t.negate(sum.high), t.negate(t.add(sum.low, below_logarithm(t, y)))}, t.apply(Op::log, y));
    return t.add(all.high, all.low);
}

}  // namespace

Local digamma(Terms& t, Local x) {
    const Scalar type = t.type(x);
    if (type == Scalar::f16) return t.to().cast(type, digamma(t, t.to().cast(Scalar::f32, x)));
    const Local left = t.apply(Op::less, x, t.number_like(x, 0.5));
    const Local reflected = t.select(left, t.sub(t.number_like(x, 1), x), x);
    // pi x modulo pi: tan has this period.
    const Local part = t.sub(x, t.apply(Op::rint, x)), pi = t.number_like(x, std::numbers::pi);
    const Local cotangent = t.div(pi, t.apply(Op::tan, t.mul(pi, part)));
    return t.sub(on_the_right(t, reflected), t.select(left, cotangent, t.number_like(x, 0)));
}

}  // namespace sinter::ir::derivative
