// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An example of a paper: its clusters and what is written to memory, and its results everywhere.
#pragma once

#include "conform/support.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace papers {

using namespace sinter;
using conform::everywhere;
using conform::numbers;
using conform::require_same;

template <class T>
Array<T> vector_of(std::int64_t n, int seed = 1) {
    return from(numbers<T>(n, seed));
}
template <class T>
Array<T, 2> matrix_of(std::int64_t rows, std::int64_t columns, int seed = 1) {
    return from(numbers<T>(rows * columns, seed), shape(rows, columns));
}

/// The types of the arrays in memory, sorted.
inline std::vector<std::string> manifest_types(const Explanation& explanation) {
    std::vector<std::string> types;
    for (const std::string& name : explanation.manifest()) types.push_back(name.substr(name.find(" : ") + 3));
    std::sort(types.begin(), types.end());
    return types;
}

/// Types of manifest arrays, sorted.
using Types = std::vector<std::string>;

/// What a strategy has to make of an example.
struct Fused {
    std::size_t clusters;
    Types manifest;
    std::int64_t bytes = -1;  ///< read and written; -1: not asked
};

template <class E>
Explanation require_fused(const E& expression, const Fused& expected, Fusion strategy = Fusion::optimal) {
    Explanation found = explain(expression, {.fusion = strategy});
    INFO(found.text());
    CHECK(found.clusters().size() == expected.clusters);
    CHECK(manifest_types(found) == expected.manifest);
    if (expected.bytes >= 0) CHECK(found.bytes_moved() == expected.bytes);
    if (strategy == Fusion::optimal) CHECK(found.gap() == 0);
    return found;
}

/// Some edge is not fused for this reason.
inline void require_reason(const Explanation& explanation, const std::string& words) {
    const std::string& text = explanation.text();
    INFO(text);
    const std::size_t heading = text.find("Not fused");
    REQUIRE(heading != std::string::npos);
    CHECK(text.find(words, heading) != std::string::npos);
}

/// Several results, on every target with every strategy.
template <class... E>
auto everywhere_together(const std::tuple<E...>& expressions) {
    auto expected = run(expressions, {.target = Target::interpreter()});
    for (Fusion fusion : conform::strategies) {
        for (Target target : conform::targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            auto actual = run(expressions, {.target = target, .fusion = fusion});
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (require_same(std::get<I>(expected).to_vector(), std::get<I>(actual).to_vector()), ...);
            }(std::index_sequence_for<E...>{});
        }
    }
    return expected;
}

/// f(0), ..., f(n - 1).
template <class F>
auto listed(std::int64_t n, F f) {
    std::vector<decltype(f(std::int64_t{}))> values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back(f(i));
    return values;
}

}  // namespace papers
