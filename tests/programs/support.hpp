// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on every target, where sums of floating-point numbers may be associated differently.
#pragma once

#include "conform/support.hpp"

#include <tuple>

namespace conform {

template <class T>
bool is_near(const T& a, const T& b, double tolerance) {
    if constexpr (std::is_floating_point_v<T>)
        return same(a, b) || std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
    else if constexpr (std::is_integral_v<T>)
        return a == b;
    else
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (is_near(std::get<I>(a), std::get<I>(b), tolerance) && ...);
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
}

template <class T>
void require_near(const std::vector<T>& expected, const std::vector<T>& actual, double tolerance) {
    REQUIRE(expected.size() == actual.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (is_near(expected[i], actual[i], tolerance)) continue;
        CAPTURE(i, tolerance);
        REQUIRE(expected[i] == actual[i]);
    }
}

/// Runs `expression` everywhere: every fusion strategy gives the same bits for every number of threads (on a gpu: twice),
/// and is as near to the interpreter's result as this. Returns the result of the default strategy.
template <class E>
auto everywhere_near(const E& expression, double tolerance) {
    using sinter::Target;
    const auto expected = sinter::run(expression, {.target = Target::interpreter()});
    for (sinter::Fusion fusion : strategies) {
        CAPTURE(static_cast<int>(fusion));
        const auto one = sinter::run(expression, {.target = targets().front(), .fusion = fusion});
        const auto two = sinter::run(expression, {.target = targets().back(), .fusion = fusion});
        REQUIRE(expected.shape() == one.shape());
        require_near(expected.to_vector(), one.to_vector(), tolerance);
        require_same(one.to_vector(), two.to_vector());
    }
    return sinter::run(expression);
}

}  // namespace conform
