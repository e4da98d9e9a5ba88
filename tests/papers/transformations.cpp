// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equations that make fusion possible. Henriksen and Oancea (FHPC 2013), figures "ISWIM" and "RedFlat" and section "Fusion
// Hindrances"; the chapter "Fusion-enabling SOAC transformations": both sides have the same results and the same clusters.
#include "papers/support.hpp"

using namespace papers;

namespace {

constexpr std::int64_t rows = 30, columns = 40;
constexpr std::int64_t matrix = 4 * rows * columns;
using Int = std::int32_t;
using Row = Delayed<Int>;

auto f(Exp<Int> v) { return v * 3 + 1; }
auto g(Exp<Int> v) { return v - 2; }

/// Both sides of an equation: the same bits, one cluster each, and no more bytes than these.
template <class L, class R>
void require_equal(const L& left, const R& right, std::int64_t bytes) {
    for (const auto& e : {explain(left), explain(right)}) {
        INFO(e.text());
        CHECK(e.clusters().size() == 1);
        CHECK(e.bytes_moved() == bytes);
    }
    require_same(everywhere(left).to_vector(), everywhere(right).to_vector());
}

}  // namespace

TEST_CASE("transformations: RedFlat, a fold of folds is one fold") {
    const auto a = matrix_of<Int>(rows, columns);
    const auto x = vmap([](Row row) { return fold(std::plus<>{}, 0, row); }, a);
    require_equal(fold(std::plus<>{}, 0, x), fold(std::plus<>{}, 0, flatten(a)), matrix + 4);
}

TEST_CASE("transformations: maps on both sides of a transposition are one") {
    const auto a = matrix_of<Int>(rows, columns);
    const auto b = map(f, a);
    const auto left = vmap([](Row r) { return map(g, r); }, transpose(b));
    const auto right = transpose(map(g, map(f, a)));
    require_equal(left, right, 2 * matrix);
    require_equal(map(g, transpose(map(f, a))), map(g, map(f, transpose(a))), 2 * matrix);
}

TEST_CASE("transformations: maps on both sides of a reshape are one") {
    const auto a = matrix_of<Int>(rows, columns);
    require_equal(map(g, flatten(map(f, a))), flatten(map(g, map(f, a))), 2 * matrix);
    require_equal(map(g, reshape(map(f, a), shape(columns, rows))), reshape(map(g, map(f, a)), shape(columns, rows)),
                  2 * matrix);
}

TEST_CASE("transformations: zips of what has one size check nothing and hinder nothing") {
    const auto a = vector_of<Int>(1000), b = vector_of<Int>(1000, 2);
    const auto both = zip(map(f, a), map(g, b));
    const auto sums = map([](auto p, auto q) { return p + q; }, both);
    require_fused(sums, {1, {"i32[n0]"}, 3 * 4 * 1000});
    everywhere(sums);
}

TEST_CASE("transformations: IRWIM, a fold of rows with an operator of elements is a fold of columns") {
    const auto a = matrix_of<Int>(rows, columns);
    const auto zeros = run(fill(shape(columns), 0));
    const auto left = fold([](Row x, Row y) { return map(std::plus<>{}, x, y); }, zeros, a);
    const auto right = vmap([](Row x) { return fold(std::plus<>{}, 0, x); }, transpose(a));
    CHECK(explain(left).clusters().size() == 1);
    CHECK(explain(left).bytes_moved() == matrix + 2 * 4 * columns);  // and the zeros
    CHECK(explain(right).bytes_moved() == matrix + 4 * columns);
    require_same(everywhere(left).to_vector(), everywhere(right).to_vector());
}

TEST_CASE("transformations: ISWIM, a scan of rows with an operator of elements is a scan of columns") {
    const auto a = matrix_of<Int>(rows, columns);
    const auto zeros = run(fill(shape(columns), 0));
    const auto plus = [](Row x, Row y) { return map(std::plus<>{}, x, y); };
    const auto left = inclusive_scan(plus, zeros, a);
    const auto right = transpose(vmap([](Row x) { return inclusive_scan(std::plus<>{}, 0, x); }, transpose(a)));
    CHECK(explain(left).clusters().size() == 1);
    CHECK(explain(left).bytes_moved() == 2 * matrix + 4 * columns);
    require_same(everywhere(left).to_vector(), everywhere(right).to_vector());
    // What the scan was made of is fused with what is before and behind it.
    const auto more = map(g, inclusive_scan(plus, zeros, map(f, a)));
    CHECK(explain(more).clusters().size() == 1);
    CHECK(explain(more).bytes_moved() == 2 * matrix + 4 * columns);
    everywhere(more);
}

TEST_CASE("transformations: IRWIM and ISWIM in deeper nests, with neutral elements of their own") {
    const auto cube = from(numbers<Int>(6 * 5 * 4), shape(6, 5, 4));
    const auto start = from(numbers<Int>(5 * 4, 3), shape(5, 4));
    using Matrix = Delayed<Int, 2>;
    const auto nested = [](Matrix x, Matrix y) {
        return vmap([](Row p, Row q) { return vmap([](Exp<Int> u, Exp<Int> v) { return max(u, v); }, p, q); }, x, y);
    };
    const auto flat = [](auto u, auto v) { return max(u, v); };
    const auto folded = fold(nested, start, cube);
    const auto scanned = exclusive_scan(nested, start, cube);
    CHECK(explain(folded).clusters().size() == 1);
    CHECK(explain(scanned).clusters().size() == 1);
    const auto start_of_all = fold(flat, -100, cube, axis(0));
    require_same(everywhere(folded).to_vector(), run(map(flat, start, start_of_all)).to_vector());
    everywhere(scanned);
    everywhere(inclusive_scan(nested, start, cube, from_right));
}

TEST_CASE("transformations: operators of rows that are not element-wise take one row after another") {
    const auto a = matrix_of<Int>(7, 5);
    const auto start = vector_of<Int>(5, 4);
    // The composition of permutations is associative, but needs all of a row.
    const auto permutations = from(std::vector<std::int64_t>{1, 0, 2, 2, 1, 0, 0, 2, 1, 1, 2, 0}, shape(4, 3));
    const auto identity = from(std::vector<std::int64_t>{0, 1, 2});
    const auto compose = [](Delayed<std::int64_t> p, Delayed<std::int64_t> q) { return gather(q, p); };
    const auto all = fold(compose, identity, permutations);
    CHECK(everywhere(all).to_vector() == std::vector<std::int64_t>{1, 0, 2});
    const auto prefixes = inclusive_scan(compose, identity, permutations);
    CHECK(everywhere(prefixes).to_vector() == std::vector<std::int64_t>{1, 0, 2, 2, 0, 1, 2, 1, 0, 1, 0, 2});
    CHECK(everywhere(exclusive_scan(compose, identity, permutations)).to_vector() ==
          std::vector<std::int64_t>{0, 1, 2, 1, 0, 2, 2, 0, 1, 2, 1, 0});
    everywhere(inclusive_scan(compose, identity, permutations, from_right));
    everywhere(exclusive_scan(compose, identity, permutations, from_right));
    everywhere(fold([](Row x, Row y) { return map([](auto u, auto v) { return min(u, v); }, x, reverse(y)); }, start, a));
}

TEST_CASE("transformations: operators of rows inside vmap, loops and compiled functions, of products") {
    const auto cubes = from(numbers<Int>(3 * 4 * 5), shape(3, 4, 5));
    const auto zeros = run(fill(shape(5), 0));
    const auto plus = [](Row x, Row y) { return x + y; };
    everywhere(vmap([&](Delayed<Int, 2> m) { return fold(plus, zeros, m); }, cubes));
    everywhere(vmap([&](Delayed<Int, 2> m) { return inclusive_scan(plus, zeros, m); }, cubes));
    const auto step = [&](Exp<std::int64_t> i, Row total) {
        return fold(plus, total, take(matrix_of<Int>(4, 5), 2)) + cast<Int>(i);
    };
    everywhere(for_loop(3, step, zeros));
    using Pair = std::tuple<Int, Int>;
    const auto pairs = zip(matrix_of<Int>(6, 5), matrix_of<Int>(6, 5, 2));
    const auto both = [](Delayed<Pair> x, Delayed<Pair> y) {
        return map(
            [](Exp<Pair> p, Exp<Pair> q) {
                auto [p0, p1] = p;
                auto [q0, q1] = q;
                return std::tuple(p0 + q0, max(p1, q1));
            },
            x, y);
    };
    const auto scanned = inclusive_scan(both, zip(zeros, zeros), pairs);
    everywhere(get<0>(scanned));
    everywhere(get<1>(scanned));
    const auto scale = compile([](Delayed<float, 2> m, Exp<float> s) {
        return fold([=](Delayed<float> x, Delayed<float> y) { return x + y * s; }, fill(shape(extent(m, 1)), 0.f), m);
    });
    CHECK(scale(matrix_of<float>(1, 3), 2.f).to_vector() == std::vector<float>{-6, 8, 0});
}

TEST_CASE("transformations: rows and initial values of different lengths") {
    const auto a = matrix_of<Int>(7, 5);
    const auto plus = [](Row x, Row y) { return x + y; };
    CHECK_THROWS_AS(run(fold(plus, vector_of<Int>(4), a)), ShapeError);
    CHECK_THROWS_AS(run(inclusive_scan(plus, vector_of<Int>(6), a)), ShapeError);
    const auto second = [](Delayed<std::tuple<Int, Int>>, Delayed<std::tuple<Int, Int>> y) { return y; };
    const auto none = run(fill(shape(5), 0));
    const auto folded =
        compile([=](Delayed<Int, 2> x, Delayed<Int, 2> y) { return fold(second, zip(none, none), zip(x, y)); });
    const auto scanned =
        compile([=](Delayed<Int, 2> x, Delayed<Int, 2> y) { return inclusive_scan(second, zip(none, none), zip(x, y)); });
    for (std::int64_t rows : {3, 9}) {
        CHECK_THROWS_AS(folded(a, matrix_of<Int>(rows, 5)), ShapeError);
        CHECK_THROWS_AS(scanned(a, matrix_of<Int>(rows, 5)), ShapeError);
    }
    for (std::int64_t n : {0, 1, 2}) {
        everywhere(fold(plus, vector_of<Int>(5), matrix_of<Int>(n, 5)));
        everywhere(inclusive_scan(plus, vector_of<Int>(5), matrix_of<Int>(n, 5)));
        everywhere(exclusive_scan([](Row x, Row y) { return reverse(x + y); }, vector_of<Int>(5), matrix_of<Int>(n, 5)));
    }
}
