// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Henriksen and Oancea, A T2 Graph-Reduction Approach To Fusion (FHPC 2013): the figures "Compositional Algebra For Fusion",
// row by row, "Fusion By T2 Transformation on the Dependency Graph" and "Matrix Multiplication Before and After Fusion".
#include "papers/support.hpp"

using namespace papers;

namespace {

constexpr std::int64_t n = 1000;
using Int = std::int32_t;

auto c1(Exp<Int> v) { return v > -3; }
auto c2(Exp<Int> v) { return v % 2 == 0; }

/// The results of both sides of an equation are the same, and so is what fusion makes of them.
template <class L, class R>
void require_equal(const L& left, const R& right, const Fused& fused) {
    require_fused(left, fused);
    require_fused(right, fused);
    require_same(everywhere(left).to_vector(), everywhere(right).to_vector());
}

/// v's elements that pass, as the paper's filter2 with several arrays has them.
template <class F, class... V>
auto kept(F wanted, const V&... v) {
    return compact(map(wanted, v...), zip(v...));
}

}  // namespace

TEST_CASE("algebra: replicate is fused wherever it is read, across the update of what it made") {
    const auto a = from(std::vector<Int>{7}, shape(1));
    const auto b = vector_of<Int>(n), c = vector_of<Int>(n, 2);
    const auto x = flatten(replicate(n, a));
    const auto y = x + b, z = x * c, updated = update(x, index(3), 0);
    const auto all = std::tuple(y, z, updated);
    // x is in memory for the update alone, written along with y and z: these do not read it from there.
    const std::string made = "i32[(n0 * a0)]";
    require_fused(all, {2, {made, made, made, made}, 4 + 5 * 4 * n + 2 * 64});
    const auto [py, pz, pu] = everywhere_together(all);
    require_same(py.to_vector(), everywhere(b + 7).to_vector());
    require_same(pz.to_vector(), everywhere(c * 7).to_vector());
}

TEST_CASE("algebra: map o map") {
    const auto a1 = vector_of<Int>(n), y = vector_of<Int>(n, 2);
    const auto [x1, x2] = unzip(map([](auto v) { return std::tuple(v + 1, v * v); }, a1));
    const auto left = map([](auto v, auto w) { return v * 10 - w; }, x1, y);
    const auto right = map([](auto v, auto w) { return (v + 1) * 10 - w; }, a1, y);
    require_equal(left, right, {1, {"i32[n0]"}, 3 * 4 * n});
}

TEST_CASE("algebra: reduce o map is a redomap") {
    const auto a1 = vector_of<Int>(n), y = vector_of<Int>(n, 2);
    using Pair = std::tuple<Int, Int>;
    const auto add = [](Exp<Pair> e, Exp<Pair> v) {
        auto [e1, e2] = e;
        auto [v1, v2] = v;
        return std::tuple(e1 + v1, max(e2, v2));
    };
    const auto [x1, x2] = unzip(map([](auto v) { return std::tuple(v + 1, v * v); }, a1));
    const auto left = get<0>(fold(add, Pair(0, 0), zip(x1, y)));
    const auto right = fold(std::plus<>{}, 0, a1 + 1);
    require_fused(fold(add, Pair(0, 0), zip(x1, y)), {1, {"i32", "i32"}, 2 * 4 * n + 8});
    require_same(everywhere(left).to_vector(), everywhere(right).to_vector());
}

TEST_CASE("algebra: redomap o map is a redomap") {
    const auto a1 = vector_of<Int>(n), y = vector_of<Int>(n, 2);
    const auto x1 = map([](auto v) { return v + 1; }, a1);
    const auto redomap = sum(map([](auto v, auto w) { return v * w; }, x1, y));
    require_equal(redomap, sum(map([](auto v, auto w) { return (v + 1) * w; }, a1, y)), {1, {"i32"}, 2 * 4 * n + 4});
}

TEST_CASE("algebra: a reduce starts a kernel, but joins one that reduces the same elements") {
    const auto a = vector_of<Int>(n);
    const auto both = std::tuple(sum(a), max(a));
    require_fused(both, {1, {"i32", "i32"}, 4 * n + 4 + 8});  // 4: what the maximum starts from
    everywhere_together(both);
}

TEST_CASE("algebra: filter o filter") {
    const auto a1 = vector_of<Int>(n), a2 = vector_of<Int>(n, 2);
    const auto [x1, x2] = unzip(kept([](auto v, auto w) { return v > w; }, a1, a2));
    const auto left = filter(c2, x1);
    const auto right = get<0>(kept([](auto v, auto w) { return v > w && c2(v); }, a1, a2));
    const auto e = explain(left), same = explain(right);
    INFO(e.text());
    CHECK(e.clusters().size() == 1);
    CHECK(same.clusters().size() == 1);
    CHECK(e.bytes_moved() == same.bytes_moved());
    require_same(everywhere(left).to_vector(), everywhere(right).to_vector());
}

TEST_CASE("algebra: reduce o filter is a reduce") {
    const auto a = vector_of<Int>(n);
    const auto left = sum(filter(c1, a));
    const auto right = sum(map([](auto v) { return select(c1(v), v, 0); }, a));
    require_equal(left, right, {1, {"i32"}, 4 * n + 4});
}

TEST_CASE("algebra: reduce o filter of several arrays is a redomap") {
    const auto a1 = vector_of<Int>(n), a2 = vector_of<Int>(n, 2);
    const auto [x1, x2] = unzip(kept([](auto v, auto w) { return v > w; }, a1, a2));
    const auto right = sum(map([](auto v, auto w) { return select(v > w, v, 0); }, a1, a2));
    require_equal(sum(x1), right, {1, {"i32"}, 2 * 4 * n + 4});
}

TEST_CASE("algebra: redomap o filter is a redomap") {
    const auto a1 = vector_of<Int>(n), a2 = vector_of<Int>(n, 2);
    const auto [x1, x2] = unzip(kept([](auto v, auto w) { return v > w; }, a1, a2));
    const auto redomap = sum(map([](auto v) { return v * v; }, x1));
    const auto right = sum(map([](auto v, auto w) { return select(v > w, v * v, 0); }, a1, a2));
    require_equal(redomap, right, {1, {"i32"}, 2 * 4 * n + 4});
}

TEST_CASE("algebra: a reduce with a filter, then maps, then a filter again") {
    const auto a = vector_of<Int>(n);
    const auto program =
        sum(filter(c2, map([](auto v) { return v * 3; }, filter(c1, map([](auto v) { return v + 2; }, a)))));
    const auto right = sum(map(
        [](auto v) {
            auto w = (v + 2) * 3;
            return select(c1(v + 2) && c2(w), w, 0);
        },
        a));
    require_equal(program, right, {1, {"i32"}, 4 * n + 4});
}

TEST_CASE("T2: kernel 3 of the figure takes all that only it reads; x1, read by two kernels, starts a new one") {
    const auto a = vector_of<Int>(n);
    const auto x1 = map([](auto v) { return v * v; }, a);
    const auto y1 = map([](auto v) { return v + 1; }, x1);
    const auto [z1, z2] = unzip(map([](auto v) { return std::tuple(v * 2, -v); }, y1));
    const auto [q1, q2] = unzip(map([](auto y, auto z, auto w) { return std::tuple(y + z * w, z - w); }, y1, z1, z2));
    const auto res = map([](auto y, auto q, auto r, auto z) { return y + q * r - z; }, y1, q1, q2, z1);
    const auto other = map([=](auto v) { return v + x1(0); }, reverse(x1));
    const auto both = std::tuple(res, other);
    // T2 proper would start a third kernel for x1; the horizontal and diagonal steps put it beside one of its readers.
    const auto by_t2 = explain(both, {.fusion = Fusion::t2});
    const auto best = explain(both);
    INFO(best.text());
    CHECK(by_t2.clusters().size() == 2);
    CHECK(best.clusters().size() == 2);
    CHECK(best.bytes_moved() <= by_t2.bytes_moved());
    everywhere_together(both);
    require_fused(res, {1, {"i32[n0]"}, 2 * 4 * n}, Fusion::t2);
    require_fused(res, {1, {"i32[n0]"}, 2 * 4 * n});
}

TEST_CASE("flat-parallel matrix multiplication is one kernel, and no replicated array is in memory") {
    constexpr std::int64_t size = 20;
    const auto x = matrix_of<Int>(size, size), y = matrix_of<Int>(size, size, 2);
    const auto redplus1 = [](Delayed<Int> row) { return fold(std::plus<>{}, 0, row); };
    const auto redplus2 = [&](Delayed<Int, 2> m) { return vmap(redplus1, m); };
    const auto mul1 = [](Delayed<Int> p, Delayed<Int> q) { return p * q; };
    const auto mul2 = [&](Delayed<Int, 2> p, Delayed<Int, 2> q) { return vmap(mul1, p, q); };
    const auto yt = replicate(size, transpose(y));
    const auto ar = vmap([&](Delayed<Int> row) { return replicate(size, row); }, x);
    const auto abr = vmap(mul2, ar, yt);
    const auto product = vmap(redplus2, abr);
    const auto e = explain(product);
    INFO(e.text());
    CHECK(e.clusters().size() == 1);
    CHECK(e.manifest().size() == 1);
    CHECK(e.bytes_moved() == 3 * 4 * size * size);
    const auto xs = x.to_vector(), ys = y.to_vector();
    require_same(everywhere(product).to_vector(), listed(size * size, [&](auto at) {
                     Int total = 0;
                     for (std::int64_t k = 0; k < size; ++k)
                         total += xs[static_cast<std::size_t>(at / size * size + k)] *
                                  ys[static_cast<std::size_t>(k * size + at % size)];
                     return total;
                 }));
}
