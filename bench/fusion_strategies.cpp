// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// greedyBottomUpBad and greedyTopDownBad of van Balen et al., Fusing Gathers with Integer Linear Programming (FProPer 2024),
// section 5, under every strategy. There, the optimum is 20 and 1.5 times faster than the greedy strategy that it traps. The
// strategies take turns, and each turn begins with another one; for each of them the least time counts, so that other work
// of the machine has as little influence as possible. Strategies that find the same clusters are measured nevertheless: they
// show the noise.
#include "strategies.hpp"

#include <sinter/sinter.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace sinter;

namespace {

auto greedy_bottom_up_bad(const Array<float>& xs, std::int64_t m) {
    const auto is = generate(shape(xs.size(), m), [](auto i, auto) { return i; });
    const auto large = gather(is, xs);
    const auto ys = fold(std::plus<>{}, 0.f, large);
    const auto zs = fold(std::multiplies<>{}, 1.f, large);
    return map([=](auto y) { return y + zs(0); }, ys);
}

auto greedy_top_down_bad(const Array<float>& as) {
    const auto bs = map([](auto a) { return a * 2.f; }, as);
    const auto cs = map([](auto b) { return b + 1.f; }, bs);
    const auto ds = generate(shape(as.size()), [=](auto i) { return cast<float>(i) + bs(0); });
    return fold(std::plus<>{}, 0.f, map(std::plus<>{}, cs, ds));
}

constexpr std::size_t turns = 40;

template <class E>
void measure(const char* name, const E& expression) {
    std::vector<std::function<void()>> calls;
    for (const auto& [label, strategy] : bench::strategies)
        calls.push_back([&expression, options = Options{.fusion = strategy}] {
            if (run(expression, options).size() == 0) std::abort();
        });
    std::vector<double> times;
    for (const std::vector<double>& t : bench::take_turns(calls, turns))
        times.push_back(*std::min_element(t.begin(), t.end()));
    std::printf(
        "| %s | strategy | kernels | arrays in memory | MB moved | ms | ratio |\n|---|---|---:|---:|---:|---:|---:|\n",
        name);
    for (std::size_t k = 0; k < times.size(); ++k) {
        const Explanation e = explain(expression, {.fusion = bench::strategies[k].second});
        std::printf("| | `%s` | %zu | %zu | %.1f | %.2f | %.2f |\n", bench::strategies[k].first, e.clusters().size(),
                    e.manifest().size(), static_cast<double>(e.bytes_moved()) / 1e6, 1e3 * times[k],
                    times[k] / times.back());
    }
    std::printf("\n");
}

}  // namespace

int main() {
    const std::int64_t rows = 16, columns = 1'000'000, length = 1 << 25;
    const auto xs = run(map([](auto i) { return cast<float>(i % 7) * 1e-7f + 1.f; }, iota(rows)));
    measure("greedyBottomUpBad", greedy_bottom_up_bad(xs, columns));
    const auto as = run(map([](auto i) { return cast<float>(i % 5) - 2.f; }, iota(length)));
    measure("greedyTopDownBad", greedy_top_down_bad(as));
}
