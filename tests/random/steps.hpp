// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the environment demands of random programs, and the steps of which a program consists.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace random_programs {

using Steps = std::vector<int>;

inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// "2,5"
inline std::string listed(const Steps& steps) {
    std::string text;
    for (int step : steps) text += (text.empty() ? "" : ",") + std::to_string(step);
    return text;
}

/// Those of a program that fails, without what it does not need to fail.
template <class Fails>
Steps reduced(Steps steps, Fails fails) {
    for (std::size_t k = steps.size(); k-- > 0;) {
        Steps fewer = steps;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
        if (fails(fewer)) steps = fewer;
    }
    return steps;
}

}  // namespace random_programs
