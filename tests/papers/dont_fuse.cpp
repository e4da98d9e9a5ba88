// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Henriksen and Oancea, A T2 Graph-Reduction Approach To Fusion (FHPC 2013), figure "Don't Fuse Cases": each is kept apart
// for its own reason, or, where that is better, fused in a way that the paper's algebra does not have.
#include "papers/support.hpp"

using namespace papers;

namespace {

constexpr std::int64_t n = 1000;

auto f(Exp<float> v) { return v * 3.f + 1.f; }
auto g(Exp<float> v) { return v - 2.f; }

}  // namespace

TEST_CASE("don't fuse, case 1: nothing moves across the update of what it reads") {
    const auto values = numbers<float>(n);
    const auto a = from(values);
    const auto x = map(f, a);
    const auto updated = update(a, index(1), 3.33f);
    const auto y = map([](auto v, auto w) { return g(v) + w; }, x, updated);
    const auto both = std::tuple(y, updated);
    const auto [got, _] = everywhere_together(both);
    require_same(got.to_vector(), listed(n, [&](auto i) {
                     const float v = values[static_cast<std::size_t>(i)];
                     return v * 3.f + 1.f - 2.f + (i == 1 ? 3.33f : v);
                 }));
    for (Fusion strategy : {Fusion::t2, Fusion::optimal}) {
        // The old array is read where the new one is, or before: never in the cluster that makes it.
        const Explanation e = explain(both, {.fusion = strategy});
        INFO(e.text());
        CHECK(e.clusters().size() == 2);
        require_reason(e, "complete only after the last of the random writes");
    }
}

TEST_CASE("don't fuse, case 1: a loop that updates its state in place") {
    // Each step reads all of the state before one element of it is written.
    const auto step = [](Exp<std::int64_t> i, Delayed<std::int32_t> a) {
        auto x = map([](auto v) { return v + 1; }, a);
        return update(std::move(a), index(i), sum(x)());
    };
    std::vector<std::int32_t> expected = numbers<std::int32_t>(20);
    const auto result = for_loop(20, step, from(expected));
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = std::accumulate(expected.begin(), expected.end(), static_cast<std::int32_t>(expected.size()));
    require_same(expected, everywhere(result).to_vector());
}

TEST_CASE("don't fuse, case 2: a map of what two filters keep") {
    const auto values = numbers<std::int32_t>(n, 1), others = numbers<std::int32_t>(n, 2);
    const auto a = from(values), b = from(others);
    const auto is_large = [](Exp<std::int32_t> v) { return v > 1; };
    const auto x = filter(is_large, a), y = filter(is_large, b);
    const std::int64_t kept = run(x).size();
    const std::int64_t kept_too = run(y).size();
    REQUIRE(kept > 0);
    const auto common = std::min(kept, kept_too);
    const auto z = map([](auto v, auto w) { return v * 10 + w; }, take(x, common), take(y, common));
    const Explanation e = explain(z);
    INFO(e.text());
    CHECK(e.clusters().size() == 3);  // two filters, each with the test that it is of, and the map
    require_reason(e, "how many elements are kept is known only after the last");
    const auto keep = [&](std::vector<std::int32_t> v) {
        std::erase_if(v, [](std::int32_t one) { return one <= 1; });
        return v;
    };
    const auto left = keep(values), right = keep(others);
    require_same(everywhere(z).to_vector(), listed(common, [&](auto i) {
                     return left[static_cast<std::size_t>(i)] * 10 + right[static_cast<std::size_t>(i)];
                 }));
}

TEST_CASE("don't fuse, case 3: nothing moves from outside into a loop") {
    const auto a = vector_of<float>(n), b = vector_of<float>(n, 2);
    const auto x = map(f, a);
    const auto loop = for_loop(3, [&](Exp<std::int64_t>, Delayed<float> s) { return force(s + x); }, b);
    const Explanation e = explain(loop);
    INFO(e.text());
    require_reason(e, "nothing moves into its body from outside");
    require_same(everywhere(loop).to_vector(), listed(n, [&](auto i) {
                     const float v = a.to_vector()[static_cast<std::size_t>(i)] * 3.f + 1.f;
                     return b.to_vector()[static_cast<std::size_t>(i)] + v + v + v;
                 }));
}

TEST_CASE("don't fuse, case 4: used in a branch and after it") {
    const auto arr = vector_of<float>(n);
    const auto x = map(f, arr);
    const auto y = cond(sum(arr) > 0.f, [&] { return map(g, x); }, [&] { return -x; });
    const auto z = map([](auto v) { return v * v; }, x);
    const auto both = std::tuple(y, z);
    const Explanation e = explain(both);
    require_reason(e, "a loop or conditional needs it in memory");
    everywhere_together(both);
}

TEST_CASE("don't fuse, case 5: used otherwise than as an input") {
    const auto a = vector_of<float>(n);
    const auto at = vector_of<std::int32_t>(n, 3);
    const auto x = map(f, a);
    const auto y = map(g, x);
    const auto read = map([=](auto i, auto v) { return x(cast<std::int64_t>(i) + 5) + v; }, at, y);
    require_reason(require_fused(read, {2, {"f32[n0]", "f32[n0]"}}), "read at computed indices");
    everywhere(read);
}

TEST_CASE("don't fuse, case 6: two results of one map, each used once, become one horizontal cluster") {
    const auto a = vector_of<std::int32_t>(n);
    const auto [x, y] = unzip(map([](auto v) { return std::tuple(v + 1, v * 2); }, a));
    const auto u = fold(std::plus<>{}, 0, x);
    const auto v = fold(std::multiplies<>{}, 1, y);
    const auto both = std::tuple(u, v);
    for (Fusion strategy : {Fusion::optimal, Fusion::t2, Fusion::greedy_down, Fusion::greedy_up})
        require_fused(both, {1, {"i32", "i32"}, 4 * n + 8}, strategy);
    everywhere_together(both);
}
