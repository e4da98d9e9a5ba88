// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/derivative/partials.hpp"

#include "ir/derivative/digamma.hpp"
#include "support/check.hpp"

#include <limits>
#include <numbers>
#include <utility>

namespace sinter::ir::derivative {

namespace {

using Kind = Partial::Kind;

Partial wild(Local factor) { return {Kind::wild, factor}; }
Partial times(Local factor) { return {Kind::factor, factor}; }

/// 1 / sqrt(1 - x^2); with the two factors no digits are lost near 1.
Local inverse_of_circle(Terms& t, Local x) {
    const Local one = t.number_like(x, 1);
    return t.reciprocal(t.apply(Op::sqrt, t.mul(t.sub(one, x), t.add(one, x))));
}

Partial of_absolute(Terms& t, Local x) {
    const Local zero = t.number_like(x, 0), one = t.number_like(x, 1), minus = t.number_like(x, -1);
    const Local negative = t.select(t.apply(Op::less, x, zero), minus, zero);
    return times(t.select(t.apply(Op::greater, x, zero), one, negative));
}

/// The smallest and the largest number with all digits.
std::pair<double, double> normal_range(Scalar scalar) {
    switch (scalar) {
        case Scalar::f16:
            return {0x1p-14, 65504};
        case Scalar::f32:
            return {std::numeric_limits<float>::min(), std::numeric_limits<float>::max()};
        default:
            return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
    }
}

/// By the base, y x^(y - 1), but of the result x^y where it and its quotient by x have all digits: y - 1 is rounded, and the
/// logarithm of x multiplies that error. Where x^y is too large or too small, y - 1 is exact or nearly so.
Partial of_power(Terms& t, Local x, Local y, Local result, std::size_t k) {
    const Local zero = t.number_like(x, 0);
    if (k == 0) {
        const Local quotient = t.div(result, x), r = t.apply(Op::abs, result), q = t.apply(Op::abs, quotient);
        const auto [least, most] = normal_range(t.type(x));
        const Local is_normal =
            t.apply(Op::bit_and, t.apply(Op::greater_equal, t.apply(Op::minimum, r, q), t.number_like(x, least)),
                    t.apply(Op::less_equal, t.apply(Op::maximum, r, q), t.number_like(x, most)));
        const Local power = t.apply(Op::pow, x, t.sub(y, t.number_like(y, 1)));
        const Local slope = t.mul(y, t.select(is_normal, quotient, power));
        return wild(t.select(t.apply(Op::equal, y, zero), zero, slope));
    }
    const Local at_zero = t.apply(Op::bit_and, t.apply(Op::equal, x, zero), t.apply(Op::greater, y, zero));
    return wild(t.select(at_zero, zero, t.mul(result, t.apply(Op::log, x))));
}

/// x / h, but 0 where h is 0.
Partial of_hypotenuse(Terms& t, Local x, Local h) {
    const Local zero = t.number_like(h, 0);
    return wild(t.select(t.apply(Op::equal, h, zero), zero, t.div(x, h)));
}

Partial of_angle(Terms& t, Local y, Local x, std::size_t k) {
    const Local h = t.apply(Op::hypot, x, y);
    const Local slope = t.div(t.div(k == 0 ? x : y, h), h);
    return wild(k == 0 ? slope : t.negate(slope));
}

Partial of_error_function(Terms& t, Local x, double sign) {
    const Local scale = t.number_like(x, sign * 2 * std::numbers::inv_sqrtpi);
    return times(t.mul(scale, t.apply(Op::exp, t.negate(t.square(x)))));
}

/// c / x, where c is a number.
Partial of_logarithm(Terms& t, Local x, double c) { return wild(t.div(t.number_like(x, c), x)); }

}  // namespace

Partial partial(Terms& t, const Inst& inst, std::span<const Local> operands, Local result, std::size_t k) {
    const Local x = operands.empty() ? Local() : operands[0], y = operands.size() < 2 ? Local() : operands[1];
    auto number = [&](double value) { return t.number_like(x, value); };
    switch (inst.op) {
        case Op::add:
            return {Kind::one, {}};
        case Op::sub:
            return {k == 0 ? Kind::one : Kind::minus_one, {}};
        case Op::negate:
            return {Kind::minus_one, {}};
        case Op::mul:
            return times(k == 0 ? y : x);
        case Op::div:
            return wild(k == 0 ? t.reciprocal(y) : t.negate(t.div(result, y)));
        case Op::rem:
            if (k == 0) return {Kind::one, {}};
            return wild(t.negate(t.apply(Op::trunc, t.div(x, y))));
        case Op::fma:
            if (k == 2) return {Kind::one, {}};
            return times(k == 0 ? y : x);
        case Op::abs:
            return of_absolute(t, x);
        case Op::copysign:
            if (k == 1) return {};
            return times(t.mul(t.apply(Op::copysign, number(1), x), t.apply(Op::copysign, number(1), y)));
        case Op::minimum:
        case Op::maximum:
        case Op::fmin:
        case Op::fmax:
            return {k == 0 ? Kind::where : Kind::where_not, t.apply(Op::equal, result, x)};
        case Op::select:
            if (k == 0) return {};
            return {k == 1 ? Kind::where : Kind::where_not, x};
        case Op::scale:
            if (k == 1) return {};
            return times(t.apply(Op::scale, number(1), y));
        case Op::sqrt:
            return wild(t.div(number(0.5), result));
        case Op::cbrt:
            return wild(t.reciprocal(t.mul(number(3), t.square(result))));
        case Op::exp:
            return wild(result);
        case Op::exp2:
            return wild(t.mul(result, number(std::numbers::ln2)));
        case Op::expm1:
            return wild(t.add(result, number(1)));
        case Op::log:
            return of_logarithm(t, x, 1);
        case Op::log2:
            return of_logarithm(t, x, std::numbers::log2e);
        case Op::log10:
            return of_logarithm(t, x, std::numbers::log10e);
        case Op::log1p:
            return wild(t.reciprocal(t.add(number(1), x)));
        case Op::sin:
            return times(t.apply(Op::cos, x));
        case Op::cos:
            return times(t.negate(t.apply(Op::sin, x)));
        case Op::tan:
            return times(t.add(number(1), t.square(result)));
        case Op::asin:
            return wild(inverse_of_circle(t, x));
        case Op::acos:
            return wild(t.negate(inverse_of_circle(t, x)));
        case Op::atan:
            return times(t.reciprocal(t.add(number(1), t.square(x))));
        case Op::atan2:
            return of_angle(t, x, y, k);
        case Op::sinh:
            return times(t.apply(Op::cosh, x));
        case Op::cosh:
            return times(t.apply(Op::sinh, x));
        case Op::tanh:
            return times(t.mul(t.sub(number(1), result), t.add(number(1), result)));
        case Op::asinh:
            return times(t.reciprocal(t.apply(Op::hypot, number(1), x)));
        case Op::acosh: {
            const Local product = t.mul(t.sub(x, number(1)), t.add(x, number(1)));
            return wild(t.reciprocal(t.apply(Op::sqrt, product)));
        }
        case Op::atanh:
            return wild(t.reciprocal(t.mul(t.sub(number(1), x), t.add(number(1), x))));
        case Op::pow:
            return of_power(t, x, y, result, k);
        case Op::hypot:
            return of_hypotenuse(t, operands[k], result);
        case Op::erf:
            return of_error_function(t, x, 1);
        case Op::erfc:
            return of_error_function(t, x, -1);
        case Op::lgamma:
            return wild(digamma(t, x));
        case Op::tgamma:
            return wild(t.mul(result, digamma(t, x)));
        case Op::cast:
            return detail::is_float(t.type(x)) ? Partial{Kind::cast, {}} : Partial{};
        // Step functions, and operations without floating-point operand or result.
        case Op::floor:
        case Op::ceil:
        case Op::trunc:
        case Op::round:
        case Op::rint:
        case Op::bit_and:
        case Op::bit_or:
        case Op::bit_xor:
        case Op::bit_not:
        case Op::shift_left:
        case Op::shift_right:
        case Op::popcount:
        case Op::clz:
        case Op::ctz:
        case Op::equal:
        case Op::not_equal:
        case Op::less:
        case Op::less_equal:
        case Op::greater:
        case Op::greater_equal:
        case Op::inside:
        case Op::wrap:
        case Op::symmetric:
        case Op::reflect:
        case Op::bit_cast:
        case Op::constant:
        case Op::extent:
        case Op::segment_end:
        case Op::expect:
        case Op::debug_print:
            return {};
        case Op::read:
        case Op::cond:
        case Op::while_loop:
        case Op::for_loop:
        case Op::load:
        case Op::store:
        case Op::size:
        case Op::check_index:
        case Op::check_divisor:
        case Op::print:
        case Op::reduce:
        case Op::for_each:
        case Op::scan:
        case Op::compact:
        case Op::update:
            break;
    }
    fail_check("an operation without a partial derivative", location::current());
}

bool may_be_infinite(Op op) {
    switch (op) {
        case Op::div:
        case Op::rem:
        case Op::sqrt:
        case Op::exp:
        case Op::exp2:
        case Op::expm1:
        case Op::log:
        case Op::log2:
        case Op::log10:
        case Op::log1p:
        case Op::asin:
        case Op::acos:
        case Op::sinh:
        case Op::cosh:
        case Op::acosh:
        case Op::atanh:
        case Op::pow:
        case Op::lgamma:
        case Op::tgamma:
            return true;
        default:
            return false;
    }
}

namespace {

/// v times the partial; casts are to `type`.
Local scaled(Terms& t, const Partial& partial, Local v, Scalar type) {
    const Local zero = t.zero(t.type(v));
    switch (partial.kind) {
        case Kind::zero:
            return zero;
        case Kind::one:
            return v;
        case Kind::minus_one:
            return t.negate(v);
        case Kind::cast:
            return t.to().cast(type, v);
        case Kind::where:
            return t.select(partial.factor, v, zero);
        case Kind::where_not:
            return t.select(partial.factor, zero, v);
        case Kind::factor:
            return t.mul(v, partial.factor);
        case Kind::wild:
            return t.select(t.apply(Op::equal, v, zero), zero, t.mul(v, partial.factor));
    }
    fail_check("a kind of partial derivative", location::current());
}

}  // namespace

Local pushed(Terms& t, const Partial& partial, Local tangent, Scalar result) { return scaled(t, partial, tangent, result); }
Local pulled(Terms& t, const Partial& partial, Local adjoint, Scalar operand) {
    return scaled(t, partial, adjoint, operand);
}

}  // namespace sinter::ir::derivative
