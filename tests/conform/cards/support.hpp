// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests of the gpu alone share; elsewhere they do nothing.
#pragma once

#include "conform/support.hpp"

namespace conform {

inline bool on_gpu() {
    const char* chosen = std::getenv("SINTER_TARGET");
    return chosen && std::string_view(chosen).starts_with("gpu");
}

/// The gpu's bits are those of `exact`, computed by the interpreter, and every time the same.
template <class E>
void check_on_gpu(const E& exact) {
    const auto expected = sinter::run(exact, {.target = sinter::Target::interpreter()}).to_vector();
    require_same(expected, sinter::run(exact).to_vector());
}

/// For values that round: the same bits every time.
template <class E>
void check_repeats(const E& rounded) {
    const auto first = sinter::run(rounded).to_vector();
    for (int k = 0; k < 3; ++k) require_same(first, sinter::run(rounded).to_vector());
}

inline std::vector<float> fractions(std::int64_t n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i * 7919 % 1013) * 0.37f - 150.f;
    return v;
}

}  // namespace conform
