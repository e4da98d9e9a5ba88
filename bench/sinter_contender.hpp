// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A compiled Sinter function as a contender.
#pragma once

#include "measure.hpp"

#include <sinter/sinter.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>

namespace bench {

/// Sum over a result in double precision.
template <class T, int Rank>
double total(const sinter::Array<T, Rank>& a) {
    double sum = 0;
    const T* p = a.data();
    for (std::int64_t i = 0; i < a.size(); ++i) sum += double(p[i]);
    return sum;
}

template <class A, class B>
double total(const std::tuple<A, B>& results) {
    return total(std::get<0>(results)) + total(std::get<1>(results));
}

/// Waits until a card has computed the result.
template <class T, int Rank>
void await(const sinter::Array<T, Rank>& a) {
    a.data();
}

template <class A, class B>
void await(const std::tuple<A, B>& results) {
    await(std::get<0>(results));
    await(std::get<1>(results));
}

/// The contender that calls `function` on `arguments`, which it keeps. The result of the previous call is released first,
/// because the hand-written code overwrites its output: otherwise there would be one more array in the caches.
template <class F, class... Args>
Contender contender(F function, Args... arguments) {
    using Result = decltype(function(arguments...));
    const auto result = std::make_shared<std::optional<Result>>();
    const char* target = std::getenv("SINTER_TARGET");
    const bool on_card = target && std::string_view(target).starts_with("gpu");
    const auto call = [=] {
        result->reset();
        result->emplace(function(arguments...));
        if (on_card) await(**result);
    };
    return {"sinter", call, [=] { return total(**result); }};
}

}  // namespace bench
