// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One expression on every target, with every fusion strategy and several thread counts: all must agree.
#pragma once

#include <sinter/sinter.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <vector>

namespace conform {

/// Sizes around the edges: vectors of 4 to 64 lanes, unrolled blocks, a chunk and one more.
inline const std::vector<std::int64_t> edge_sizes = {0,  1,  2,  3,  4,  5,  7,  8,   9,    15,  16,
                                                     17, 31, 32, 33, 63, 64, 65, 127, 1000, 4099};
/// Fewer, and one beyond any chunk, for expensive expressions.
inline const std::vector<std::int64_t> few_sizes = {0, 1, 7, 8, 33, 1000, 100003};

inline const std::vector<sinter::Fusion> strategies = {sinter::Fusion::none, sinter::Fusion::greedy_down,
                                                       sinter::Fusion::greedy_up, sinter::Fusion::t2,
                                                       sinter::Fusion::optimal};

template <class T>
bool same(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
        return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0;
    } else {
        return a == b;
    }
}

template <class T>
void require_same(const std::vector<T>& expected, const std::vector<T>& actual) {
    REQUIRE(expected.size() == actual.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!same<T>(expected[i], actual[i])) {
            CAPTURE(i);
            REQUIRE(expected[i] == actual[i]);
            FAIL("values differ in their bits");
        }
    }
}

/// The targets that are compared with the interpreter: the host with one and two threads; with SINTER_TARGET=gpu the card
/// or cards that it names, and with gpu_emulated their kernels executed by the host.
inline std::vector<sinter::Target> targets() {
    const char* chosen = std::getenv("SINTER_TARGET");
    if (chosen && std::string_view(chosen).starts_with("gpu")) return {sinter::Target()};
    return {sinter::Target::host(1), sinter::Target::host(2)};
}

/// Runs `expression` everywhere and compares the bits with the interpreter's; returns the result.
template <class E>
auto everywhere(const E& expression) {
    auto expected = sinter::run(expression, {.target = sinter::Target::interpreter()});
    for (sinter::Fusion fusion : strategies) {
        for (sinter::Target target : targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            auto actual = sinter::run(expression, {.target = target, .fusion = fusion});
            REQUIRE(expected.shape() == actual.shape());
            require_same(expected.to_vector(), actual.to_vector());
        }
    }
    return expected;
}

/// As everywhere(), of a compiled function, in which extents are symbols; returns the elements of the result.
template <class F, class... A>
auto compiled_everywhere(const F& f, const A&... arrays) {
    auto expected = sinter::compile(f, {.target = sinter::Target::interpreter()})(arrays...);
    for (sinter::Fusion fusion : strategies) {
        for (sinter::Target target : targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            auto actual = sinter::compile(f, {.target = target, .fusion = fusion})(arrays...);
            REQUIRE(expected.shape() == actual.shape());
            require_same(expected.to_vector(), actual.to_vector());
        }
    }
    return expected.to_vector();
}

/// The composition of maps x -> a x + b, pairs (a, b) of wrapping integers: associative, not commutative.
inline constexpr auto composition = [](const auto& first, const auto& then) {
    auto [a, b] = first;
    auto [c, d] = then;
    return std::tuple(a * c, b * c + d);
};

/// A vector of n small values that differ, exact in every element type (sums of thousands of them stay exact in floats).
template <class T>
std::vector<T> numbers(std::int64_t n, int seed = 1) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        int value = static_cast<int>((i * 7 + seed * 13) % 11);
        if constexpr (std::is_same_v<T, bool>) {
            v[static_cast<std::size_t>(i)] = value % 2 == 1;
        } else {
            v[static_cast<std::size_t>(i)] = static_cast<T>(std::is_signed_v<T> ? value - 5 : value);
        }
    }
    return v;
}

}  // namespace conform
