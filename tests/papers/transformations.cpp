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
