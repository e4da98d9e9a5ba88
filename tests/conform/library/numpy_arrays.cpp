// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/library/numpy.hpp"

#include <sinter/linalg.hpp>
#include <sinter/numeric.hpp>

#include <numbers>

using namespace sinter;
using namespace numpy;

TEST_CASE("NumPy's functions: making", "[numpy][gpu]") {
    NUMPY("linspace", is(linspace(0., 1., 5), {0, 0.25, 0.5, 0.75, 1}));
    NUMPY("logspace", is(exp2(linspace(0., 3., 4) * std::log2(10.)), {1, 10, 100, 1000}));
    NUMPY("geomspace", is(exp(linspace(std::log(1.), std::log(8.), 4)), {1, 2, 4, 8}));
    const auto x = longs({1, 2, 3}), y = longs({4, 5});
    const auto [columns, rows] = meshgrid(x, y);
    NUMPY("meshgrid", meshgrid(x, y); is(columns, {1, 2, 3, 1, 2, 3}); is(rows, {4, 4, 4, 5, 5, 5}));
    NUMPY("eye, identity", is(eye(2), {1, 0, 0, 1}));
    const auto [i, j] = unzip(generate(shape(2, 2), [](auto a, auto b) { return std::tuple(a, b); }));
    NUMPY("indices", generate(shape(2, 2), [](auto a, auto b) { return std::tuple(a, b); }); is(i, {0, 0, 1, 1});
          is(j, {0, 1, 0, 1}));
    NUMPY("tri", is(generate(shape(2, 3), [](auto a, auto b) { return cast<double>(b <= a); }), {1, 0, 0, 1, 1, 0}));
    const auto at = run(compact(flatten(generate(shape(3, 3), [](auto a, auto b) { return a <= b; })), iota(9)));
    NUMPY("triu_indices", flatten(generate(shape(3, 3), [](auto a, auto b) { return a <= b; })); compact(at >= 0, iota(6));
          is(at / 3, {0, 0, 0, 1, 1, 2}); is(at % 3, {0, 1, 2, 1, 2, 2}));
    const auto below = run(compact(flatten(generate(shape(2, 2), [](auto a, auto b) { return b <= a; })), iota(4)));
    NUMPY("tril_indices", flatten(generate(shape(2, 2), [](auto a, auto b) { return b <= a; }));
          compact(below >= 0, iota(3)); is(below / 2, {0, 1, 1}); is(below % 2, {0, 0, 1}));
    NUMPY("diag_indices", is(zip(iota(2), iota(2)), {{0, 0}, {1, 1}}));
    NUMPY("vander",
          is(vmap([](auto v) { return map([=](auto k) { return pow(v, cast<double>(k)); }, iota(3)); }, doubles({2, 3})),
             {1, 2, 4, 1, 3, 9}));
    auto turn = [](auto k) { return cast<double>(k) * (2 * std::numbers::pi / 4); };
    NUMPY("hanning", is(generate(shape(5), [=](auto k) { return 0.5 - 0.5 * cos(turn(k)); }), {0, 0.5, 1, 0.5, 0});
          static_cast<void>(cast<double>(x)));
    NUMPY("hamming", is(generate(shape(5), [=](auto k) { return 0.54 - 0.46 * cos(turn(k)); }), {0.08, 0.54, 1, 0.54, 0.08});
          static_cast<void>(cast<double>(x)));
    NUMPY("blackman", is(generate(shape(5), [=](auto k) { return 0.42 - 0.5 * cos(turn(k)) + 0.08 * cos(2 * turn(k)); }),
                         {0, 0.34, 1, 0.34, 0}));
    NUMPY("bartlett",
          is(generate(shape(5), [](auto k) { return 1 - abs(cast<double>(2 * k) / 4 - 1); }), {0, 0.5, 1, 0.5, 0}));
    NUMPY("diagflat", is(generate(shape(2, 2), [=](auto a, auto b) { return select(a == b, x(a), 0); }), {1, 0, 0, 2}));
    NUMPY("resize", is(generate(shape(5), [=](auto k) { return x(k % size(x)); }), {1, 2, 3, 1, 2}));
    const Array<Long, 2> m = matrix();
    const auto picked = longs({1, 0}), across = longs({0, 2});
    NUMPY("ix_",
          is(generate(shape(2, 2), [=, rows = picked, columns = across](auto a, auto b) { return m(rows(a), columns(b)); }),
             {3, 5, 0, 2}));
    NUMPY("lib.stride_tricks.sliding_window_view",
          is(generate(shape(2, 2), [=](auto a, auto b) { return x(a + b); }), {1, 2, 2, 3}));
    NUMPY("unravel_index, ravel_multi_index", is(longs({4}) / 3, {1}); is(longs({4}) % 3, {1}); is(longs({1}) * 3 + 1, {4}));
}

TEST_CASE("NumPy's functions: joining", "[numpy][gpu]") {
    const Array<Long, 2> m = matrix();
    const auto x = longs({1, 2, 3}), y = longs({4, 5, 6});
    NUMPY("stack", is(stack(x, y), {1, 2, 3, 4, 5, 6}));
    NUMPY("vstack", is(stack(x, y), {1, 2, 3, 4, 5, 6}); is(concat(m, m), {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
    NUMPY("hstack", is(concat(x, y), {1, 2, 3, 4, 5, 6}); is(concat(m, m, 1), {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
    NUMPY("column_stack", is(transpose(stack(x, y)), {1, 4, 2, 5, 3, 6}));
    NUMPY("dstack", is(transpose(stack(m, m), {1, 2, 0}), {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
    NUMPY("block", is(concat(concat(m, m, 1), concat(m, m, 1)),
                      {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
    NUMPY("insert", is(concat(take(x, 1), y, drop(x, 1)), {1, 4, 5, 6, 2, 3}));
    NUMPY("delete", is(concat(take(x, 1), drop(x, 2)), {1, 3}));
    NUMPY("rot90", is(reverse(transpose(m), axis(0)), {2, 5, 1, 4, 0, 3}));
    NUMPY("vsplit", is(std::get<1>(split(m, 1)), {3, 4, 5}));
    NUMPY("hsplit", is(take(m, 1, axis(1)), {0, 3}); is(drop(m, 1, axis(1)), {1, 2, 4, 5}));
    NUMPY("row_stack", is(stack(x, y), {1, 2, 3, 4, 5, 6}); is(concat(take(m, 1), m), {0, 1, 2, 0, 1, 2, 3, 4, 5}));
    NUMPY("tile", is(flatten(replicate(2, x)), {1, 2, 3, 1, 2, 3});
          is(generate(shape(2, 4), [=](auto i, auto j) { return m(i % 2, j % 2); }), {0, 1, 0, 1, 3, 4, 3, 4}));
    NUMPY("broadcast_arrays", is(broadcast(x, shape(3, 2), axes(0)), {1, 1, 2, 2, 3, 3});
          is(broadcast(y, shape(2, 3), axes(1)), {4, 5, 6, 4, 5, 6}));
    NUMPY("array_equiv", CHECK(run(all(flatten(m == broadcast(x, shape(2, 3), axes(1))))).item() == false));
    const auto t = run(reshape(iota(8), shape(2, 2, 2)));
    NUMPY("dsplit", is(take(t, 1, axis(2)), {0, 2, 4, 6}); is(drop(t, 1, axis(2)), {1, 3, 5, 7}));
    NUMPY("apply_over_axes", is(sum(t, axes(0, 2)), {10, 18}));
    NUMPY("unstack", is(row(m, 1), {3, 4, 5}));
    NUMPY("atleast_2d", CHECK(run(reshape(x, shape(1, 3))).shape() == std::array<Long, 2>{1, 3}));
    NUMPY("matrix_transpose", is(transpose(m), {0, 3, 1, 4, 2, 5}));
    NUMPY("atleast_1d", is(reshape(sum(x), shape(1)), {6}));
    NUMPY("ndarray.T", is(transpose(m), {0, 3, 1, 4, 2, 5}));
    NUMPY("ndarray.item", CHECK(run(sum(x)).item() == 6));
}

TEST_CASE("NumPy's functions: reading, writing and choosing", "[numpy][gpu]") {
    const Array<Long, 2> m = matrix();
    const auto indices = from(Longs{2, 0, 1, 1}, shape(2, 2)), values = from(Longs{7, 8, 9, 6}, shape(2, 2));
    NUMPY("take_along_axis", is(vmap([](auto row, auto at) { return gather(at, row); }, m, indices), {2, 0, 4, 4}));
    NUMPY("put_along_axis", is(vmap([](auto row, auto at, auto v) { return scatter(row, at, v); }, m,
                                    from(Longs{2, 0, 1, 0}, shape(2, 2)), values),
                               {8, 1, 7, 6, 9, 5}));
    const auto x = longs({3, 0, -2, 0, 5});
    NUMPY("putmask, copyto", is(select(x < 0, iota(5), x), {3, 0, 2, 0, 5}));
    NUMPY("nonzero, flatnonzero, argwhere", is(compact(x != 0, iota(5)), {0, 2, 4}));
    NUMPY("place", is(scatter(x, compact(x != 0, iota(5)), longs({7, 8, 9})), {7, 0, 8, 0, 9}));
    NUMPY("select", is(select(x == 0, 0 - iota(5), select(x > 0, x, x * 10)), {3, -1, -20, -3, 5}));
    NUMPY("choose", is(select(x == 0, iota(5), select(x == 3, x, x * 10)), {3, 1, -20, 3, 50}));
    NUMPY("piecewise",
          is(map([](auto v) { return cond(v < 0, [=] { return v * v; }, [=] { return v + 1; }); }, x), {4, 1, 4, 1, 6}));
    NUMPY("clip", is(clip(x, -1, 4), {3, 0, -1, 0, 4}));
    NUMPY("fill_diagonal",
          is(map_indexed([](auto i, auto j, auto v) { return select(i == j, 9, v); }, m), {9, 1, 2, 3, 9, 5}));
    const auto ends = run(compact(x > 2, iota(5)));
    NUMPY("trim_zeros", compact(x > 2, iota(5)); is(slice(x, range(ends(0), ends(ends.size() - 1) + 1)), {3, 0, -2, 0, 5}));
}
