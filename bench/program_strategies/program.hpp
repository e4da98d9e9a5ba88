// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The example programs on generated data, under a given fusion strategy.
#pragma once

#include <sinter/sinter.hpp>

#include <functional>
#include <tuple>
#include <vector>

namespace bench {

using namespace sinter;

/// A program as one strategy fuses it.
struct Plan {
    std::function<void()> call;
    Explanation explanation;
};
using Planner = std::function<Plan(Fusion)>;

/// Waits until the result is there, even if it comes from a device.
template <class T, int Rank>
void await(const Array<T, Rank>& a) {
    std::apply([&](auto... extent) { a((extent - 1)...); }, a.shape());
}
template <class T>
void await(const Array<T, 0>& a) {
    a.item();
}
template <class... A>
void await(const std::tuple<A...>& results) {
    std::apply([](const auto&... a) { (await(a), ...); }, results);
}

/// For one array, or several in a std::tuple.
template <class E>
Planner planner(const E& expression) {
    return [=](Fusion fusion) {
        const Options options{.fusion = fusion};
        const auto compiled = compile([=](Exp<bool>) { return expression; }, options);
        return Plan{[=] { await(compiled(true)); }, explain(expression, options)};
    };
}

struct Program {
    const char* name;
    Planner (*make)();  ///< with its data
};

/// In the order of the table. Each of these is defined in a file of its own.
std::vector<Program> prices();
std::vector<Program> matrices();
std::vector<Program> grids();
std::vector<Program> points();
std::vector<Program> lists();

}  // namespace bench
