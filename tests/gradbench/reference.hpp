// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in plain C++, and their derivatives by complex steps: what Sinter's are compared with.
#pragma once

#include "conform/support.hpp"
#include "gradbench/functions/common.hpp"

#include <complex>

namespace gradbench::reference {

using Complex = std::complex<double>;
template <class T>
using List = std::vector<T>;

inline double real(double x) { return x; }
inline double real(Complex x) { return x.real(); }

/// The derivatives of a function of a list with respect to its elements. The function has to be analytic; its value and its
/// derivative do not cancel, so they are exact up to rounding (Squire and Trapp, "Using Complex Variables to Estimate
/// Derivatives of Real Functions", SIAM Review 1998).
template <class F>
List<double> gradient(F f, const List<double>& x) {
    constexpr double step = 1e-100;
    List<double> made;
    for (std::size_t k = 0; k < x.size(); ++k) {
        List<Complex> moved(x.begin(), x.end());
        moved[k] += Complex(0, step);
        made.push_back(f(moved).imag() / step);
    }
    return made;
}

/// `count` numbers between low and high that follow no pattern.
inline List<double> numbers(Long count, double low, double high, unsigned seed = 1) {
    List<double> made;
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    for (Long k = 0; k < count; ++k) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        made.push_back(low + (high - low) * static_cast<double>(state >> 11) / 9007199254740992.0);
    }
    return made;
}

inline Array<double, 2> matrix(const List<double>& elements, Long rows, Long columns) {
    return sinter::from(elements, shape(rows, columns));
}

/// Equal up to rounding errors of a sum of elements of their size.
inline void require_near(const List<double>& expected, const List<double>& actual, double tolerance = 1e-11) {
    REQUIRE(expected.size() == actual.size());
    double scale = 1e-3;
    for (double e : expected) scale = std::max(scale, std::abs(e));
    for (std::size_t k = 0; k < expected.size(); ++k) {
        CAPTURE(k, expected[k], actual[k]);
        REQUIRE(std::abs(expected[k] - actual[k]) <= tolerance * scale);
    }
}

/// A result as a list; those of a tuple one after another.
template <class R>
List<double> flat(const R& result) {
    if constexpr (std::is_arithmetic_v<R>) {
        return {result};
    } else if constexpr (requires { result.to_vector(); }) {
        return result.to_vector();
    } else {
        List<double> all;
        std::apply([&](const auto&... parts) { (all.insert(all.end(), parts.begin(), parts.end()), ...); },
                   std::apply([](const auto&... parts) { return std::tuple(flat(parts)...); }, result));
        return all;
    }
}

/// Calls the function on every target, with and without fusion.
template <class F, class... A>
void check(const List<double>& expected, const F& f, const A&... arguments) {
    auto on = [&](const Options& options) { require_near(expected, flat(compile(f, options)(arguments...))); };
    on({.target = Target::interpreter()});
    for (Fusion fusion : {Fusion::none, Fusion::optimal})
        for (Target target : conform::targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            on({.target = target, .fusion = fusion});
        }
}

}  // namespace gradbench::reference
