// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// greedyBottomUpBad and greedyTopDownBad of van Balen et al., Fusing Gathers with Integer Linear Programming (FProPer 2024),
// section 5, under every strategy. There the optimum is 20 and 1.5 times faster than the greedy strategy that it traps.
// The strategies take turns, each turn another one first; of each the least time counts, so that what else the machine does
// takes part as little as it can. Strategies that find the same clusters are measured all the same: they show the noise.
#include <sinter/sinter.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

using namespace sinter;

namespace {

constexpr std::pair<const char*, Fusion> strategies[] = {{"none", Fusion::none},
                                                         {"greedy_down", Fusion::greedy_down},
                                                         {"greedy_up", Fusion::greedy_up},
                                                         {"t2", Fusion::t2},
                                                         {"optimal", Fusion::optimal}};

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
double seconds(const E& expression, Fusion strategy) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = run(expression, {.fusion = strategy});
    const auto end = std::chrono::steady_clock::now();
    if (result.size() == 0) std::abort();
    return std::chrono::duration<double>(end - start).count();
}

template <class E>
void measure(const char* name, const E& expression) {
    constexpr std::size_t count = std::size(strategies);
    std::vector<double> times(count, 1e30);
    for (auto [label, strategy] : strategies) seconds(expression, strategy);  // compiles
    for (std::size_t turn = 0; turn < turns; ++turn)
        for (std::size_t k = turn; k < turn + count; ++k)
            times[k % count] = std::min(times[k % count], seconds(expression, strategies[k % count].second));
    std::printf(
        "| %s | strategy | kernels | arrays in memory | MB moved | ms | ratio |\n|---|---|---:|---:|---:|---:|---:|\n",
        name);
    for (std::size_t k = 0; k < times.size(); ++k) {
        const Explanation e = explain(expression, {.fusion = strategies[k].second});
        std::printf("| | `%s` | %zu | %zu | %.1f | %.2f | %.2f |\n", strategies[k].first, e.clusters().size(),
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
