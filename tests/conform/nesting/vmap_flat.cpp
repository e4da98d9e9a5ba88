// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What vmap's functions may do beside maps and folds: branches and loops by slice, sorts, gathers, scatters, stencils; and
// what they may not.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

struct Sizes {
    std::int64_t rows, columns;
};
const Sizes some_sizes[] = {{0, 5}, {1, 1}, {3, 8}, {17, 33}};

template <class T>
Array<T, 2> matrix(Sizes sizes, int seed = 1) {
    return from(numbers<T>(sizes.rows * sizes.columns, seed), shape(sizes.rows, sizes.columns));
}

}  // namespace

TEST_CASE("branches by slice", "[vmap]") {
    for (Sizes sizes : some_sizes) {
        CAPTURE(sizes.rows, sizes.columns);
        Array<float, 2> m = matrix<float>(sizes);
        Array<std::int64_t> k = from(numbers<std::int64_t>(sizes.rows, 3));
        auto chosen = vmap(
            [](Delayed<float> row, Exp<std::int64_t> v) {
                return cond(v > 0, [&] { return row / cast<float>(v); }, [&] { return reverse(row) - sum(row); });
            },
            m, k);
        everywhere(chosen);
        // An integer division by 0 where the branch is not taken.
        everywhere(vmap([](Exp<std::int64_t> v) { return cond(v != 0, [&] { return 100 / v; }, [&] { return v; }); }, k));
    }
}

TEST_CASE("loops by slice", "[vmap]") {
    for (Sizes sizes : some_sizes) {
        CAPTURE(sizes.rows, sizes.columns);
        Array<float, 2> m = matrix<float>(sizes);
        Array<std::int64_t> k = from(numbers<std::int64_t>(sizes.rows, 3));
        everywhere(vmap(
            [](Delayed<float> row, Exp<std::int64_t> n) {
                return for_loop(n, [](auto i, Delayed<float> r) { return r * 0.5f + cast<float>(i); }, row);
            },
            m, k));
        everywhere(vmap(
            [](Delayed<float> row) {
                return while_loop([](Delayed<float> r) { return sum(abs(r))() > 3.f; },
                                  [](Delayed<float> r) { return r * 0.5f; }, row);
            },
            m));
    }
}

TEST_CASE("loops of scalars, of which every slice has its own", "[vmap]") {
    for (std::int64_t n : {0, 1, 7, 33, 1000, 20011}) {
        CAPTURE(n);
        Array<float> c = from(numbers<float>(n));
        auto times = vmap(
            [](Exp<float> v) {
                auto [z, i] = while_loop([](auto z, auto i) { return z * z < 4.f && i < 30; },
                                         [=](auto z, auto i) { return std::tuple(z * z + v / 8.f, i + 1); }, Exp<float>(0.f),
                                         Exp<std::int32_t>(0));
                return i;
            },
            c);
        auto result = everywhere(times).to_vector();
        for (std::int64_t k = 0; k < n; ++k) {
            float z = 0;
            std::int32_t i = 0;
            for (; z * z < 4.f && i < 30; ++i) z = z * z + c(k) / 8.f;
            REQUIRE(result[static_cast<std::size_t>(k)] == i);
        }
    }
}

// Operators that depend on the slice: a + b + c is associative for every c.
TEST_CASE("operators and inits of the slice", "[vmap]") {
    for (std::int64_t rows : {0, 1, 5, 40})
        for (std::int64_t columns : {1, 7, 130}) {
            CAPTURE(rows, columns);
            Array<float, 2> m = from(numbers<float>(rows * columns), shape(rows, columns));
            Array<float> t = from(numbers<float>(rows, 3));
            everywhere(vmap([](Delayed<float> row, Exp<float> v) { return fold(std::plus<>{}, v, row); }, m, t));
            everywhere(vmap(
                [](Delayed<float> row, Exp<float> v) { return fold([=](auto a, auto b) { return a + b + v; }, 0.f, row); },
                m, t));
            everywhere(
                vmap([](Delayed<float> row) { return fold([=](auto a, auto b) { return a + b + row(0); }, 0.f, row); }, m));
            everywhere(vmap([](Delayed<float> row, Exp<float> v) { return inclusive_scan(std::plus<>{}, v, row); }, m, t));
            everywhere(vmap([](Delayed<float> row,
                               Exp<float> v) { return inclusive_scan([=](auto a, auto b) { return a + b + v; }, v, row); },
                            m, t));
            everywhere(
                vmap([](Delayed<float> row,
                        Exp<float> v) { return exclusive_scan([=](auto a, auto b) { return a + b + row(0); }, v, row); },
                     m, t));
            everywhere(vmap(
                [](Delayed<float> row, Exp<float> v) {
                    return vmap([=](Exp<float> w) { return fold([=](auto a, auto b) { return a + b + w + v; }, w, row); },
                                row);
                },
                m, t));
            everywhere(
                vmap([](Delayed<float> row,
                        Exp<float> v) { return stencil([](auto f) { return f(-1) + f(2); }, boundary::constant(v), row); },
                     m, t));
        }
}

TEST_CASE("rearrangements of slices", "[vmap]") {
    for (Sizes sizes : some_sizes) {
        CAPTURE(sizes.rows, sizes.columns);
        Array<float, 2> m = matrix<float>(sizes);
        Array<std::int64_t> places = from(numbers<std::int64_t>(6, 2));
        everywhere(vmap([](Delayed<float> row) { return sort(row); }, m));
        everywhere(
            vmap([](Delayed<float> row) { return stencil([](auto f) { return f(-1) + f(1); }, boundary::clamp, row); }, m));
        everywhere(vmap(
            [&](Delayed<float> row) { return gather(map([&](auto p) { return abs(p) % extent(row, 0); }, places), row); },
            m));
        everywhere(vmap(
            [](Delayed<float> row) {
                auto bins = map([](auto v) { return cast<std::int64_t>(abs(v)); }, row);
                return scatter(std::plus<>{}, fill(shape(6), 0.f), bins, row);
            },
            m));
    }
}

TEST_CASE("slices of irregular results", "[vmap]") {
    Array<float, 2> m = matrix<float>({3, 4});
    auto kept = vmap([](Delayed<float> row) { return sum(sort(filter([](auto v) { return v > 0; }, row))); }, m);
    everywhere(kept);
}
