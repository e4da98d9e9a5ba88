// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs are the same for all extents. Where extents that a call has in common let more be fused, calls with them run a
// plan of their own.
#include "papers/support.hpp"

using namespace papers;

namespace {

using Int = std::int32_t;

auto f(Exp<Int> v) { return v * v + 1; }

/// A map of a matrix, and a generate of given extents that reads it.
auto doubled(const Delayed<Int, 2>& a, std::int64_t rows, std::int64_t columns) {
    const auto x = map(f, a);
    return generate(shape(rows, columns), [=](auto i, auto j) { return x(i, j) * 2 + cast<Int>(i - j); });
}

std::vector<Int> expected(const std::vector<Int>& values, std::int64_t stride, std::int64_t rows, std::int64_t columns) {
    return listed(rows * columns, [=](auto at) {
        const auto i = at / columns, j = at % columns;
        const Int v = values[static_cast<std::size_t>(i * stride + j)];
        return (v * v + 1) * 2 + static_cast<Int>(i - j);
    });
}

}  // namespace

TEST_CASE("extents: literals that are the extents of an array read at the own index") {
    constexpr std::int64_t rows = 30, columns = 40;
    const auto a = matrix_of<Int>(rows, columns);
    const auto whole = doubled(a, rows, columns), part = doubled(a, rows - 1, columns);
    require_fused(whole, {1, {"i32[n0, n0.1]"}, 2 * 4 * rows * columns});
    require_reason(require_fused(part, {2, {"i32[a0, a1]", "i32[n0, n0.1]"}}), "read at computed indices");
    require_same(everywhere(whole).to_vector(), expected(a.to_vector(), columns, rows, columns));
    require_same(everywhere(part).to_vector(), expected(a.to_vector(), columns, rows - 1, columns));
}

TEST_CASE("extents: a square matrix read along its diagonal's mirror image") {
    constexpr std::int64_t n = 30;
    const auto a = matrix_of<Int>(n, n);
    const auto x = map(f, a);
    const auto turned = generate(shape(n, n), [=](auto i, auto j) { return x(j, i) - 1; });
    CHECK(explain(turned).clusters().size() == 1);
    require_same(everywhere(turned).to_vector(), everywhere(transpose(map([](auto v) { return v * v; }, a))).to_vector());
}

TEST_CASE("extents: of a compiled function differ from call to call") {
    const auto function = compile([](Delayed<Int, 2> a, Exp<std::int64_t> rows, Exp<std::int64_t> columns) {
        const auto x = map(f, a);
        return generate(shape(rows, columns), [=](auto i, auto j) { return x(i, j) * 2 + cast<Int>(i - j); });
    });
    for (auto [rows, columns, fewer] : {std::tuple(3, 4, 0), {3, 4, 1}, {30, 40, 0}, {30, 40, 7}, {1, 1, 0}, {3, 4, 0}}) {
        CAPTURE(rows, columns, fewer);
        const auto a = matrix_of<Int>(rows, columns);
        const auto got = function(a, rows - fewer, columns - fewer);
        require_same(got.to_vector(), expected(a.to_vector(), columns, rows - fewer, columns - fewer));
    }
    const auto a = matrix_of<Int>(3, 4);
    CHECK_THROWS_AS(function(a, 4, 4), IndexError);
    CHECK_THROWS_AS(function(a, 3, 5), IndexError);
}

TEST_CASE("extents: of two inputs that a function reads at the same index") {
    const auto a = vector_of<Int>(1000), b = vector_of<Int>(1000, 2), longer = vector_of<Int>(1001, 2);
    const auto sum_of = [](const auto& x, const auto& y) {
        const auto z = map(f, y);
        return map_indexed([=](auto i, auto v) { return v + z(i); }, x);
    };
    require_fused(sum_of(a, b), {1, {"i32[n0]"}, 3 * 4 * 1000});
    CHECK(explain(sum_of(a, longer)).clusters().size() == 2);
    everywhere(sum_of(a, b));
    everywhere(sum_of(a, longer));
}
