// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// For tests: compares derivatives with difference quotients.
#pragma once

#include <sinter/combinators/derivative.hpp>
#include <sinter/combinators/from.hpp>
#include <sinter/run.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

namespace sinter {

namespace detail {

/// The value of f, where element `at` of argument I is moved by `step`.
template <std::size_t I, class F, class... A>
double moved_value(F& f, std::size_t at, double step, location where, const A&... a) {
    auto moved = [&]<std::size_t K>(std::integral_constant<std::size_t, K>, const auto& array) {
        if constexpr (K != I) {
            return array;
        } else {
            auto values = array.to_vector(where);
            using T = typename decltype(values)::value_type;
            values[at] = static_cast<T>(static_cast<double>(values[at]) + step);
            return from(values, shape(array.shape(where)), where);
        }
    };
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto value =
            value_and_grad<static_cast<int>(I)>(f, where)(moved(std::integral_constant<std::size_t, K>(), a)...).first;
        return static_cast<double>(run(value).item(where));
    }(std::index_sequence_for<A...>{});
}

/// The tolerance, relative. A central quotient with the best step is off by about the precision to the power of 2/3 (double:
/// 4e-11, float: 2e-5) times third derivatives and the number of terms that f sums; the tolerance leaves room for these.
template <class T>
inline constexpr double tolerance = 1e-6;
template <>
inline constexpr double tolerance<float> = 0.05;
template <>
inline constexpr double tolerance<half> = 0.5;

template <std::size_t I, class F, class... A>
void check_argument_gradient(F& f, location where, const A&... a) {
    using X = std::tuple_element_t<I, std::tuple<A...>>;
    using T = element_t<X>;
    if constexpr (FloatingScalar<T>) {
        const auto values = std::get<I>(std::tie(a...)).to_vector(where);
        const auto gradient = run(grad<static_cast<int>(I)>(f, where)(a...)).to_vector(where);
        const double precision = std::cbrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
        constexpr std::size_t most = 32;
        const std::size_t stride = values.size() / most + 1;
        double worst = 0;
        std::string message;
        for (std::size_t k = 0; k < values.size(); k += stride) {
            const double h = precision * std::fmax(1.0, std::abs(static_cast<double>(values[k])));
            const double quotient = (moved_value<I>(f, k, h, where, a...) - moved_value<I>(f, k, -h, where, a...)) / (2 * h);
            const double derivative = static_cast<double>(gradient[k]);
            const double error = std::abs(derivative - quotient) / std::fmax(1.0, std::abs(quotient));
            if (error <= worst) continue;
            worst = error;
            message = "check_gradient: argument " + std::to_string(I) + ", element " + std::to_string(k) +
                      ": the derivative is " + std::to_string(derivative) + ", the difference quotient " +
                      std::to_string(quotient);
        }
        if (worst > tolerance<T>) throw DomainError(message, where);
    }
}

}  // namespace detail

/// Throws a DomainError if a derivative of f by an element of a floating-point argument is far from the difference quotient;
/// the message names the worst element. f returns one number and has to be smooth where it is tested. At most 32 elements of
/// each array are tried, so f is executed about 64 times per array.
template <class F, class A, class... As>
void check_gradient(F&& f, detail::Operand<A> first, const As&... rest) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (detail::check_argument_gradient<I>(f, first.where, *first.array, rest...), ...);
    }(std::make_index_sequence<1 + sizeof...(As)>{});
}

}  // namespace sinter
