// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Van Balen et al., Fusing Gathers with Integer Linear Programming (FProPer 2024): the three types of fusion of figure 1 and
// every example program, in the sizes given here: clusters, manifest arrays, bytes, results.
#include "papers/support.hpp"

using namespace papers;

namespace {

constexpr std::int64_t n = 1000;
constexpr std::int64_t array = 4 * n;    ///< bytes of one array of 32-bit values
constexpr std::int64_t indices = 8 * n;  ///< and of indices
using Int = std::int32_t;

auto f(Exp<Int> v) { return v * 3 + 1; }
auto g(Exp<Int> v) { return v - 2; }

Array<std::int64_t> some_indices(std::int64_t count, std::int64_t below) {
    return from(listed(count, [=](std::int64_t i) { return (i * 7 + 3) % below; }));
}

}  // namespace

TEST_CASE("gathers, figure 1: vertical, horizontal and diagonal fusion") {
    const auto xs = vector_of<Int>(n);
    require_fused(map(f, map(g, xs)), {1, {"i32[n0]"}, 2 * array});
    require_fused(std::tuple(map(f, xs), map(g, xs)), {1, {"i32[n0]", "i32[n0]"}, 3 * array});
    const auto as = map(f, xs);
    const auto diagonal = std::tuple(as, map(g, as));
    require_fused(diagonal, {1, {"i32[n0]", "i32[n0]"}, 3 * array});
    everywhere_together(diagonal);
}

TEST_CASE("gathers: singleLoop is one loop without an intermediate array, which reads its input in two orders") {
    const auto as = vector_of<Int>(n);
    const auto bs = reverse(as);
    const auto cs = map(f, as);
    const auto ds = map(g, cs);
    const auto result = map([](auto b, auto c, auto d) { return b + c + d; }, bs, cs, ds);
    for (Fusion strategy : {Fusion::optimal, Fusion::t2, Fusion::greedy_down, Fusion::greedy_up})
        require_fused(result, {1, {"i32[n0]"}, 3 * array}, strategy);
    const auto v = as.to_vector();
    require_same(everywhere(result).to_vector(), listed(n, [&](auto i) {
                     const Int c = v[static_cast<std::size_t>(i)] * 3 + 1;
                     return v[static_cast<std::size_t>(n - 1 - i)] + c + (c - 2);
                 }));
}

TEST_CASE("gathers: simple1, a map is moved behind the gather that reads it") {
    const auto is = some_indices(n, n);
    const auto xs = vector_of<Int>(n);
    const auto bs = gather(is, map(f, xs));
    require_fused(bs, {1, {"i32[n0]"}, indices + 2 * array});
    require_same(everywhere(bs).to_vector(),
                 listed(n, [&](auto i) { return xs.to_vector()[static_cast<std::size_t>((i * 7 + 3) % n)] * 3 + 1; }));
}

TEST_CASE("gathers: simple2, a gather of a gather") {
    const auto is1 = some_indices(n, n), is2 = some_indices(n / 2, n);
    const auto xs = vector_of<Int>(n);
    const auto bs = gather(is2, gather(is1, xs));
    // Half of the elements are in as many lines as all of them.
    require_fused(bs, {1, {"i32[n0]"}, indices / 2 + indices + array + array / 2});
    require_same(everywhere(bs).to_vector(), listed(n / 2, [&](auto i) {
                     const auto i1 = ((i * 7 + 3) % n * 7 + 3) % n;
                     return xs.to_vector()[static_cast<std::size_t>(i1)];
                 }));
}

TEST_CASE("gathers: simple3, a gathered array that is also returned is computed once, in another loop") {
    const auto is = some_indices(n, n);
    const auto xs = vector_of<Int>(n);
    const auto as = map(f, xs);
    const auto both = std::tuple(as, gather(is, as));
    require_reason(require_fused(both, {2, {"i32[n0]", "i32[n1]"}, 4 * array + indices}), "need not reach all");
    everywhere_together(both);
}

TEST_CASE("gathers: simple4, a fold of rows is moved behind a gather, unless it would fold more rows") {
    const auto xs = matrix_of<Int>(20, 30);
    const auto v = xs.to_vector();
    const auto sums = [&](std::int64_t count) {
        return gather(some_indices(count, 20), fold(std::plus<>{}, 0, map(f, xs)));
    };
    const auto expected = [&](std::int64_t i) {
        const auto row = v.begin() + (i * 7 + 3) % 20 * 30;
        return 3 * std::accumulate(row, row + 30, 0) + 30;
    };
    require_fused(sums(15), {1, {"i32[n0]"}});
    require_same(everywhere(sums(15)).to_vector(), listed(15, expected));
    require_reason(require_fused(sums(50), {2, {"i32[n0]", "i32[n1]"}}), "a reduction is not fused into such a read");
    require_same(everywhere(sums(50)).to_vector(), listed(50, expected));
    // The same function, called with few indices and with many.
    const auto function =
        compile([](Delayed<std::int64_t> is, Delayed<Int, 2> x) { return gather(is, fold(std::plus<>{}, 0, map(f, x))); });
    for (std::int64_t count : {15, 50, 0, 20, 21})
        require_same(function(some_indices(count, 20), xs).to_vector(), listed(count, expected));
}

TEST_CASE("gathers: simple5, one array read in two orders by one loop") {
    const auto is = some_indices(n, n);
    const auto xs = vector_of<Int>(n);
    const auto as = map(g, xs);
    const auto bs = gather(is, xs);
    const auto cs = map([](auto a, auto b) { return a * b; }, as, bs);
    require_fused(cs, {1, {"i32[n0]"}, indices + 3 * array});
    require_same(everywhere(cs).to_vector(), listed(n, [&](auto i) {
                     const auto v = xs.to_vector();
                     return (v[static_cast<std::size_t>(i)] - 2) * v[static_cast<std::size_t>((i * 7 + 3) % n)];
                 }));
}

TEST_CASE("gathers: a scan is not moved behind a gather") {
    const auto is = some_indices(n, n);
    const auto xs = vector_of<Int>(n);
    const auto bs = gather(is, inclusive_scan(std::plus<>{}, xs));
    const auto e = explain(bs);
    INFO(e.text());
    CHECK(e.clusters().size() == 2);
    everywhere(bs);
}

TEST_CASE("gathers: scans from both ends share a loop over one array only as two traversals") {
    const auto xs = vector_of<Int>(n);
    const auto both = std::tuple(inclusive_scan(std::plus<>{}, xs), inclusive_scan(std::plus<>{}, xs, from_right));
    const auto e = explain(both);
    INFO(e.text());
    CHECK(e.bytes_moved() == 4 * array);  // its reads are not shared
    everywhere_together(both);
}

TEST_CASE("gathers: scatterExample, figure 3: {bs}, then {as, result}") {
    constexpr std::int64_t bins = n;
    const auto xs = from(listed(n, [](std::int64_t i) { return static_cast<Int>((i * 7 + 3) % bins); }));
    const auto as = map([](auto x) { return std::tuple(cast<std::int64_t>(x * 2 % static_cast<Int>(bins)), x); }, xs);
    const auto bs = map([](auto x) { return x + 1; }, xs);
    const auto [to, values] = unzip(as);
    const auto result = scatter(std::plus<>{}, bs, to, values);
    // bs is written, read and updated, xs read twice; as is never in memory.
    const auto e = require_fused(result, {2, {"i32[n0]", "i32[n0]"}});
    require_reason(e, "updated in place");
    CHECK(e.clusters()[0].outputs().size() == 1);
    CHECK(e.clusters()[1].operations().size() == 2);
    const auto v = xs.to_vector();
    auto expected = listed(n, [&](auto i) { return v[static_cast<std::size_t>(i)] + 1; });
    for (Int x : v) expected[static_cast<std::size_t>(x * 2 % bins)] += x;
    require_same(everywhere(result).to_vector(), expected);
}

TEST_CASE("gathers: greedyBottomUpBad, `large` is never in memory") {
    constexpr std::int64_t few = 10, m = 2000;
    const auto xs = vector_of<Int>(few);
    const auto is = generate(shape(few, m), [](auto i, auto) { return i; });
    const auto large = gather(is, xs);
    const auto ys = fold(std::plus<>{}, 0, large);
    const auto zs = fold([](auto a, auto b) { return max(a, b); }, -100, large);
    const auto result = map([=](auto y) { return y + zs(0); }, ys);
    for (Fusion strategy : {Fusion::optimal, Fusion::greedy_down}) {
        const auto e = explain(result, {.fusion = strategy});
        INFO(e.text());
        CHECK(e.clusters().size() == 2);
        for (const std::string& array : e.manifest()) CHECK(array.find(',') == std::string::npos);
        CHECK(e.bytes_moved() < 4 * few * m / 10);
    }
    // From the bottom, result takes ys first; then the folds cannot share a loop.
    const auto up = explain(result, {.fusion = Fusion::greedy_up});
    INFO(up.text());
    CHECK(up.bytes_moved() > explain(result).bytes_moved());
    const auto v = xs.to_vector();
    require_same(everywhere(result).to_vector(),
                 listed(few, [&](auto i) { return static_cast<Int>(v[static_cast<std::size_t>(i)] * m + v[0]); }));
}

TEST_CASE("gathers: greedyTopDownBad, `cs` is fused with `es`, not with `bs`") {
    const auto as = vector_of<Int>(n);
    const auto bs = map([](auto a) { return a * 2; }, as);
    const auto cs = map([](auto b) { return b + 1; }, bs);
    const auto ds = generate(shape(n), [=](auto i) { return cast<Int>(i) + bs(0); });
    const auto es = map(std::plus<>{}, cs, ds);
    const auto result = fold(std::plus<>{}, 0, es);
    require_fused(result, {2, {"i32", "i32[n0]"}});
    const auto down = explain(result, {.fusion = Fusion::greedy_down});
    INFO(down.text());
    CHECK(down.manifest().size() == 3);
    CHECK(down.bytes_moved() > explain(result).bytes_moved());
    Int expected = 0;
    const auto v = as.to_vector();
    for (std::int64_t i = 0; i < n; ++i) expected += v[static_cast<std::size_t>(i)] * 2 + 1 + static_cast<Int>(i) + v[0] * 2;
    CHECK(everywhere(result).item() == expected);
}

TEST_CASE("gathers: backpermute is a gather at generated indices") {
    const auto xs = vector_of<Int>(n);
    const auto ys = backpermute(shape(n), [](auto i) { return n - 1 - i; }, map(f, xs));
    require_fused(ys, {1, {"i32[a0]"}, 2 * array + 8});  // 8: n - 1
    require_same(everywhere(ys).to_vector(), everywhere(reverse(map(f, xs))).to_vector());
}
