// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run, compile, explain: sharing, caching, several results, states of loops.
#include "conform/support.hpp"

#include <sstream>
#include <thread>

using namespace sinter;
using namespace conform;

TEST_CASE("several results of one run share their work", "[run]") {
    Array<float> x = from(numbers<float>(1000));
    auto y = exp(x);
    auto [a, b, c] = run(y + 1.f, y * 2.f, sum(y));
    require_same(a.to_vector(), run(y + 1.f).to_vector());
    require_same(b.to_vector(), run(y * 2.f).to_vector());
    REQUIRE(c.item() == run(sum(y)).item());
}

TEST_CASE("a compiled function", "[compile]") {
    auto step = compile([](Delayed<float, 2> grid, Exp<float> dt) { return grid * (1.f - dt) + transpose(grid) * dt; });
    for (std::int64_t n : {1, 7, 64}) {
        Array<float, 2> grid = from(numbers<float>(n * n), shape(n, n));
        for (float dt : {0.1f, 0.25f}) {
            Array<float, 2> next = step(grid, dt);
            auto h = grid.to_vector();
            for (std::int64_t i = 0; i < n; ++i) {
                for (std::int64_t j = 0; j < n; ++j) {
                    REQUIRE(next(i, j) == h[static_cast<std::size_t>(i * n + j)] * (1.f - dt) +
                                              h[static_cast<std::size_t>(j * n + i)] * dt);
                }
            }
        }
    }
}

TEST_CASE("shapes computed inside a compiled function", "[compile]") {
    auto ramp = compile([](Delayed<float> x, Exp<std::int64_t> n) {
        return generate(shape(n), [&](Exp<std::int64_t> i) { return cast<float>(i) + cast<float>(size(x)); });
    });
    Array<float> x = from(std::vector<float>(5));
    REQUIRE(ramp(x, 3).to_vector() == std::vector<float>{5, 6, 7});
    REQUIRE(ramp(x, 0).size() == 0);
}

TEST_CASE("x = x + x sixty times is sixty additions", "[sharing]") {
    Array<std::uint64_t> one = from(std::vector<std::uint64_t>{1, 2, 3});
    Delayed<std::uint64_t> x = one;
    for (int k = 0; k < 60; ++k) x = x + x;
    REQUIRE(run(x).to_vector() == std::vector<std::uint64_t>{1ull << 60, 2ull << 60, 3ull << 60});
}

TEST_CASE("a long chain of arrays", "[sharing]") {
    Delayed<std::int32_t> x = iota<std::int32_t>(100);
    for (int k = 0; k < 20000; ++k) {
        x = x + 1;
        if (k % 1000 == 999) x = force(x);
    }
    REQUIRE(run(x).to_vector()[5] == 20005);
}

TEST_CASE("a chain of a million arrays", "[.long]") {
    Delayed<std::int32_t> x = iota<std::int32_t>(100);
    for (int k = 0; k < 1000000; ++k) {
        x = x + 1;
        if (k % 1000 == 999) x = force(x);
    }
    REQUIRE(run(x).to_vector()[5] == 1000005);
}

TEST_CASE("loops and conditions over arrays", "[control]") {
    for (const Target& target : {Target::interpreter(), Target::host(2)}) {
        Array<std::int32_t> x = from(numbers<std::int32_t>(1000));
        auto doubled =
            for_loop(5, [](Exp<std::int64_t> i, Delayed<std::int32_t> s) { return s * 2 + cast<std::int32_t>(i); }, x);
        auto values = run(doubled, {.target = target}).to_vector();
        auto h = x.to_vector();
        for (std::size_t i = 0; i < h.size(); ++i) {
            std::int32_t s = h[i];
            for (std::int32_t k = 0; k < 5; ++k) s = s * 2 + k;
            REQUIRE(values[i] == s);
        }
        auto until = while_loop([](Delayed<std::int32_t> s) { return sum(s)() < 100000; },
                                [](Delayed<std::int32_t> s) { return s * s + 1; }, x);
        run(until, {.target = target});
        auto chosen = [&](bool up) {
            auto c = fill(shape(), up);
            return run(cond(c, [&] { return x + 1; }, [&] { return x - 1; }), {.target = target}).to_vector();
        };
        REQUIRE(chosen(true)[7] == h[7] + 1);
        REQUIRE(chosen(false)[7] == h[7] - 1);
    }
}

TEST_CASE("many threads run at once", "[threads]") {
    Array<float> x = from(numbers<float>(10000));
    float expected = run(sum(x * 2.f)).item();
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int k = 0; k < 50; ++k) {
                if (run(sum(x * 2.f)).item() != expected) ++wrong;
                if (run(x + static_cast<float>(t * 1000 + k)).size() != 10000) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    REQUIRE(wrong == 0);
}

TEST_CASE("explain shows clusters and bytes", "[explain]") {
    Array<float> x = from(numbers<float>(1000)), y = from(numbers<float>(1000, 2));
    auto expression = sum(sqrt(x * x + y * y));
    Explanation fused = explain(expression);
    Explanation unfused = explain(expression, {.fusion = Fusion::none});
    REQUIRE(fused.clusters().size() == 1);
    REQUIRE(unfused.clusters().size() > 1);
    REQUIRE(fused.bytes_moved() < unfused.bytes_moved());
    REQUIRE(fused.bytes_moved() == 8004);
    REQUIRE_FALSE(fused.text().empty());
    std::ostringstream written;
    written << fused << '\n';
    REQUIRE(written.str() == fused.text() + "\n");
    REQUIRE(fused.dot().find("digraph") != std::string::npos);
    REQUIRE(fused.dot().find("Body of") == std::string::npos);
    const auto shifted = [](Exp<std::int64_t>, Delayed<float> v) { return v - sum(v)(); };
    REQUIRE(explain(for_loop(3, shifted, x)).dot().find("label=\"Body of ") != std::string::npos);
}

TEST_CASE("explain proves its clusters and lists what other strategies would make", "[explain]") {
    Array<float> x = from(numbers<float>(1000)), y = from(numbers<float>(1000, 2));
    Explanation best = explain(sum(sqrt(x * x + y * y)));
    REQUIRE(best.gap() == 0);
    REQUIRE(best.solve_time() > 0);
    for (const char* strategy : {"none", "greedy_down", "greedy_up", "t2", "optimal"})
        REQUIRE(best.text().find(std::string("  ") + strategy) != std::string::npos);
    REQUIRE(explain(sum(sqrt(x * x + y * y)), {.fusion = Fusion::none}).gap() > 0.5);
}

namespace {

/// `shared` reads p and q at computed indices, as do two others of which one needs all of the other: it is fused with the
/// one that reads the same large array.
struct Contested {
    auto operator()(Delayed<float> z, Delayed<float> p, Delayed<float> q) const {
        auto at = [](Delayed<float> a, Exp<float> e) { return a(cast<std::int64_t>(e)); };
        Delayed<float> first = map([=](Exp<float> e) { return at(p, e); }, z);
        Delayed<float> second = map([=](Exp<float> e) { return at(q, e) + at(first, e); }, z);
        Delayed<float> shared = map([=](Exp<float> e) { return at(p, e) * at(q, e); }, z);
        return std::tuple(second, shared);
    }
};

}  // namespace

TEST_CASE("clusters follow the extents of the call, results do not", "[run]") {
    const auto compiled = compile(Contested{});
    const Array<float> z = from(std::vector<float>{3, 1, 0, 2});
    for (auto [n, m] : {std::pair{10, 200'000}, std::pair{200'000, 10}, std::pair{10, 200'000}, std::pair{10, 10}}) {
        const Array<float> p = from(numbers<float>(n)), q = from(numbers<float>(m, 1));
        const auto [second, shared] = compiled(z, p, q);
        const auto expected = run(Contested{}(z, p, q), {.target = Target::interpreter()});
        REQUIRE(second.to_vector() == std::get<0>(expected).to_vector());
        REQUIRE(shared.to_vector() == std::get<1>(expected).to_vector());
        REQUIRE(run(std::get<1>(Contested{}(z, p, q))).to_vector() == shared.to_vector());
        if (n == m) continue;
        const Explanation e = explain(Contested{}(z, p, q));
        REQUIRE(e.clusters().size() == 2);
        REQUIRE(e.clusters()[n > m ? 0 : 1].operations().size() == 2);
    }
}

TEST_CASE("a function that returns a pair", "[run]") {
    auto both = compile([](Delayed<float> a, Exp<float> x) { return std::pair(a + x, sum(a)); });
    const std::pair<Array<float>, Array<float, 0>> result = both(from({1.f, 2.f}), 3.f);
    REQUIRE(result.first.to_vector() == std::vector<float>{4, 5});
    REQUIRE(result.second.item() == 3);
}

TEST_CASE("several results at once: tuples, pairs and vectors, with options") {
    const Array<int> x = run(iota<int>(100));
    auto pairs = map([](auto i) { return std::tuple(i, i * 2); }, x);
    for (Target target : targets()) {
        auto [next, total, both] = run(std::tuple(x + 1, sum(x), pairs), {.target = target});
        REQUIRE(next(7) == 8);
        REQUIRE(total.item() == 4950);
        REQUIRE(both(7) == std::tuple(7, 14));
        auto [twice, first] = run(std::pair(x * 2, x), {.target = target});
        REQUIRE(twice(7) + first(7) == 21);

        std::vector<Delayed<int>> products;
        for (int k = 0; k < 400; ++k) products.push_back(x * k);
        const std::vector<Array<int>> results = run(products, {.target = target});
        REQUIRE(results.size() == products.size());
        for (int k = 0; k < 400; ++k) REQUIRE(results[static_cast<std::size_t>(k)](7) == 7 * k);
        REQUIRE(run(std::vector<Delayed<int>>(), {.target = target}).empty());
    }
}
