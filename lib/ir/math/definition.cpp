// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/math/definition.hpp"

#include "ir/math/error_function.hpp"
#include "ir/math/exponential.hpp"
#include "ir/math/gamma.hpp"
#include "ir/math/hyperbolic.hpp"
#include "ir/math/inverse_hyperbolic.hpp"
#include "ir/math/inverse_trigonometric.hpp"
#include "ir/math/logarithm.hpp"
#include "ir/math/power.hpp"
#include "ir/math/root.hpp"
#include "ir/math/traced.hpp"
#include "ir/math/trigonometric.hpp"
#include "support/check.hpp"

#include <array>
#include <mutex>

namespace sinter::ir {

namespace {

template <class T>
math::Traced<T> apply(Op op, math::Traced<T> x, math::Traced<T> y) {
    using namespace math;
    switch (op) {
        case Op::exp:
            return exp(x);
        case Op::exp2:
            return exp2(x);
        case Op::expm1:
            return expm1(x);
        case Op::log:
            return log(x);
        case Op::log2:
            return log2(x);
        case Op::log10:
            return log10(x);
        case Op::log1p:
            return log1p(x);
        case Op::sin:
            return sin(x);
        case Op::cos:
            return cos(x);
        case Op::tan:
            return tan(x);
        case Op::asin:
            return asin(x);
        case Op::acos:
            return acos(x);
        case Op::atan:
            return atan(x);
        case Op::atan2:
            return atan2(x, y);
        case Op::sinh:
            return sinh(x);
        case Op::cosh:
            return cosh(x);
        case Op::tanh:
            return tanh(x);
        case Op::asinh:
            return asinh(x);
        case Op::acosh:
            return acosh(x);
        case Op::atanh:
            return atanh(x);
        case Op::pow:
            return pow(x, y);
        case Op::cbrt:
            return cbrt(x);
        case Op::hypot:
            return hypot(x, y);
        case Op::erf:
            return erf(x);
        case Op::erfc:
            return erfc(x);
        case Op::tgamma:
            return tgamma(x);
        case Op::lgamma:
            return lgamma(x);
        default:
            fail_check("no definition of " + std::string(info(op).name), location::current());
    }
}

template <class T>
Local record(BlockBuilder& builder, Op op, Local x, Local y) {
    math::Recording recording(builder);
    return apply<T>(op, math::Traced<T>(x), math::Traced<T>(y)).local;
}

Fn define(Op op, Scalar type) {
    auto arity = static_cast<std::size_t>(info(op).arity);
    Scalar working = type == Scalar::f16 ? Scalar::f32 : type;
    BlockBuilder builder;
    Local x = builder.open(std::vector<Scalar>(arity, type));
    Local y = builder.cast(working, Local(x.index + arity - 1));
    x = builder.cast(working, x);
    Local result = working == Scalar::f32 ? record<float>(builder, op, x, y) : record<double>(builder, op, x, y);
    return canonical(Fn{{}, builder.close({builder.cast(type, result)})});
}

struct Entry {
    std::once_flag once;
    Fn fn;
};

constexpr auto first = static_cast<std::size_t>(Op::exp), last = static_cast<std::size_t>(Op::lgamma);

}  // namespace

const Fn& definition(Op op, Scalar type) {
    check(info(op).traits == Traits::math && detail::is_float(type), "definition of an operation that is not mathematical");
    static auto* entries = new std::array<std::array<Entry, 3>, last - first + 1>;
    Entry& entry = (*entries)[static_cast<std::size_t>(op) - first]
                             [static_cast<std::size_t>(type) - static_cast<std::size_t>(Scalar::f16)];
    std::call_once(entry.once, [&] { entry.fn = define(op, type); });
    return entry.fn;
}

}  // namespace sinter::ir
