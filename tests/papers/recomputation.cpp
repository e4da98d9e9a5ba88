// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that is repeated where that moves fewer bytes: what van Balen et al. (FProPer 2024) leave to future work, and the
// splits of Henriksen and Oancea (FHPC 2013), section "Fusion Hindrances", which read one map in two places.
#include "papers/support.hpp"

using namespace papers;

namespace {

constexpr std::int64_t n = 100'000;
constexpr std::int64_t array = 4 * n;
using Int = std::int32_t;

auto f(Exp<Int> v) { return v * 3 + 1; }
auto slow(Exp<Int> v) { return v / 3 + v % 7; }

void require_repeated(const Explanation& e, const std::string& what) {
    INFO(e.text());
    CHECK(e.text().find("Computed again where it is read") != std::string::npos);
    CHECK(e.text().find(what) != std::string::npos);
}

}  // namespace

TEST_CASE("recomputation: the halves of a map are maps of the halves") {
    const auto product = [](const auto& x, const auto& y) { return sum(map([](auto p, auto q) { return p * q; }, x, y)); };
    const auto a = vector_of<Int>(n);
    const auto [x1, x2] = split(map(f, a), n / 2);
    const auto [a1, a2] = split(a, n / 2);
    const Explanation e = explain(product(x1, x2));
    require_repeated(e, "map");
    CHECK(e.clusters().size() == 1);
    CHECK(manifest_types(e) == Types{"i32"});
    CHECK(e.bytes_moved() == array + 4);
    CHECK(explain(product(x1, x2), {.fusion = Fusion::t2}).bytes_moved() == 3 * array + 4);
    require_fused(product(map(f, a1), map(f, a2)), {1, {"i32"}, array + 4});
    CHECK(everywhere(product(x1, x2)).item() == everywhere(product(map(f, a1), map(f, a2))).item());
    // The size of a result is that of what it is made of.
    const auto halves = compile([&](Delayed<Int> v) {
        const auto x = map(f, v);
        const auto half = size(x) / 2;
        return product(take(x, half), take(drop(x, half), half));
    });
    CHECK(halves(a).item() == run(product(x1, x2)).item());
}

TEST_CASE("recomputation: a cheap map that two clusters read") {
    // The first scan is along rows, the other along columns: they are no one loop. The map is part of both.
    const auto a = matrix_of<Int>(300, 400);
    const auto x = map(f, a);
    const auto both = std::tuple(inclusive_scan(std::plus<>{}, x), inclusive_scan(std::plus<>{}, x, axis(0)));
    const Explanation e = explain(both);
    require_repeated(e, "map");
    CHECK(e.clusters().size() == 2);
    CHECK(e.bytes_moved() == 4 * (4 * 300 * 400));
    CHECK(explain(both, {.fusion = Fusion::t2}).bytes_moved() > e.bytes_moved());
    everywhere_together(both);
}

TEST_CASE("recomputation: what is not cheap, or has more inputs than a result to read, is stored") {
    const auto a = matrix_of<Int>(300, 400), b = matrix_of<Int>(300, 400, 2), c = matrix_of<Int>(300, 400, 3);
    const auto scans = [](const auto& x) {
        return std::tuple(inclusive_scan(std::plus<>{}, x), inclusive_scan(std::plus<>{}, x, axis(0)));
    };
    for (const auto& both : {scans(map(slow, a)), scans(map([](auto u, auto v, auto w) { return u + v * w; }, a, b, c))}) {
        const Explanation e = explain(both);
        INFO(e.text());
        CHECK(e.text().find("Computed again") == std::string::npos);
        CHECK(e.manifest().size() == 3);
        everywhere_together(both);
    }
}

TEST_CASE("recomputation: nothing is computed for more points than it has") {
    // A row for each of many readers of one: that would be another order of growth.
    const auto a = vector_of<Int>(400);
    const auto x = map(f, a);
    const auto far = gather(from(listed(n, [](std::int64_t i) { return i * 7 % 400; })), x);
    const auto both = std::tuple(far, inclusive_scan(std::plus<>{}, x), reverse(x));
    const Explanation e = explain(both);
    INFO(e.text());
    CHECK(e.text().find("Computed again") == std::string::npos);
    everywhere_together(both);
}

TEST_CASE("recomputation: chains of cheap maps are copied together") {
    const auto a = matrix_of<Int>(300, 400);
    const auto x = map([](auto v) { return v + 2; }, map(f, a));
    const auto both = std::tuple(inclusive_scan(std::plus<>{}, x), inclusive_scan(std::plus<>{}, transpose(x)));
    const Explanation e = explain(both);
    INFO(e.text());
    CHECK(e.clusters().size() == 2);
    CHECK(e.bytes_moved() == 4 * (4 * 300 * 400));
    everywhere_together(both);
}

TEST_CASE("recomputation: copies of the operations of one place are one line, with what their arithmetic counts") {
    using F = Exp<float>;
    Delayed<float> d = vector_of<float>(n);
    for (int step = 0; step < 6; ++step) {
        const auto left = map([](F v) { return v * 0.5f; }, d);
        const auto right = map([](F v) { return -v; }, d);
        d = left + right * (sum(left) / float(n));
    }
    const std::string text = explain(d).text();
    INFO(text);
    const auto count = [&](const std::string& what) {
        std::size_t found = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
        return found;
    };
    CHECK(count("Computed again where it is read") == 1);
    CHECK(count("of them, ") >= 1);
}
