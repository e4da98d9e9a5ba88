// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spiegelhauer and Sprent, Implementing Map-Scan Fusion in the Futhark Compiler (2016): a scan takes the maps before it, and
// here also those behind it.
#include "papers/support.hpp"

using namespace papers;

namespace {

constexpr std::int64_t n = 1000;
constexpr std::int64_t array = 4 * n;
using Int = std::int32_t;

auto f(Exp<Int> v) { return v * 3 + 1; }
auto g(Exp<Int> v) { return v - 2; }

}  // namespace

TEST_CASE("scanomap: a scan of a map reads its input and writes its result once") {
    const auto a = vector_of<Int>(n);
    const auto c = inclusive_scan(std::plus<>{}, map(f, a));
    require_fused(c, {1, {"i32[n0]"}, 2 * array});
    Int total = 0;
    require_same(everywhere(c).to_vector(),
                 listed(n, [&](auto i) { return total += a.to_vector()[static_cast<std::size_t>(i)] * 3 + 1; }));
}

TEST_CASE("scanomap: a map before a scanomap") {
    const auto a = vector_of<Int>(n);
    const auto c = inclusive_scan(std::plus<>{}, 5, map(f, map(g, a)));
    require_fused(c, {1, {"i32[n0]"}, 2 * array});
    everywhere(c);
}

TEST_CASE("scanomap: parameters that only one of the two has") {
    const auto a0 = vector_of<Int>(n), a1 = vector_of<Int>(n, 2), a2 = vector_of<Int>(n, 3);
    const auto [x1, x2] = unzip(map([](auto p, auto q) { return std::tuple(p + q, p * q); }, a0, a1));
    using Pair = std::tuple<Int, Int>;
    const auto add = [](Exp<Pair> p, Exp<Pair> q) {
        auto [p1, p2] = p;
        auto [q1, q2] = q;
        return std::tuple(p1 + q1, max(p2, q2));
    };
    const auto scanned = inclusive_scan(add, zip(x1, a2));
    require_fused(scanned, {1, {"i32[n0]", "i32[n0]"}, 5 * array});
    everywhere(get<0>(scanned));
    everywhere(get<1>(scanned));
}

TEST_CASE("scanomap: an array of the map that is used elsewhere is a result too") {
    const auto a = vector_of<Int>(n);
    const auto b = map(f, a);
    const auto both = std::tuple(b, inclusive_scan(std::plus<>{}, b));
    require_fused(both, {1, {"i32[n0]", "i32[n0]"}, 3 * array});
    everywhere_together(both);
}

TEST_CASE("scanomap: two scans of maps of one array are one loop") {
    const auto a = vector_of<Int>(n);
    const auto maximum = [](auto p, auto q) { return max(p, q); };
    const auto both = std::tuple(inclusive_scan(std::plus<>{}, map(f, a)), inclusive_scan(maximum, map(g, a)));
    require_fused(both, {1, {"i32[n0]", "i32[n0]"}, 3 * array});
    everywhere_together(both);
}

TEST_CASE("scanomap: a scan of a scan is a second loop, which takes the map between them") {
    const auto a = vector_of<Int>(n);
    const auto c = inclusive_scan(std::plus<>{}, map(g, inclusive_scan(std::plus<>{}, map(f, a))));
    const auto e = explain(c);
    INFO(e.text());
    CHECK(e.clusters().size() == 2);
    CHECK(e.bytes_moved() == 4 * array);
    CHECK(e.gap() == 0);
    everywhere(c);
}

TEST_CASE("scanomap: a map behind a scan") {
    const auto a = vector_of<Int>(n);
    const auto c = map(g, inclusive_scan(std::plus<>{}, map(f, a)));
    require_fused(c, {1, {"i32[n0]"}, 2 * array});
    everywhere(c);
}

TEST_CASE("scanomap, figure 3: an update between map and scan keeps them apart") {
    const auto a = vector_of<Int>(n);
    const auto b = update(map(f, a), index(1), 4);
    const auto c = inclusive_scan(std::plus<>{}, b);
    const auto e = explain(c);
    INFO(e.text());
    CHECK(e.clusters().size() == 3);
    require_reason(e, "updated in place");
    Int total = 0;
    require_same(everywhere(c).to_vector(), listed(n, [&](auto i) {
                     return total += i == 1 ? 4 : a.to_vector()[static_cast<std::size_t>(i)] * 3 + 1;
                 }));
}
