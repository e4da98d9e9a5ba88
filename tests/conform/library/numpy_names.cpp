// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of NumPy that are a line of Sinter's: those lines of docs/reference/numpy.tsv, with NumPy's results.
#include "conform/support.hpp"

#include <sinter/linalg.hpp>
#include <sinter/numeric.hpp>

#include <numbers>

using namespace sinter;

namespace {

using Long = std::int64_t;
using Longs = std::vector<Long>;
using Doubles = std::vector<double>;

Array<Long> longs(const Longs& values) { return from(values); }
Array<double> doubles(const Doubles& values) { return from(values); }

template <class A>
void is(const A& a, const std::vector<element_t<A>>& expected) {
    for (const Target& target : {Target::interpreter(), conform::targets()[0]}) {
        const auto found = run(a, {.target = target}).to_vector();
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-12));
    }
}

/// [[0, 1, 2], [3, 4, 5]]
Array<Long, 2> matrix() { return run(reshape(iota(6), shape(2, 3))); }

}  // namespace

TEST_CASE("NumPy's functions: making and joining", "[numpy]") {
    const Array<Long, 2> m = matrix();
    is(exp2(linspace(0., 3., 4) * std::log2(10.)), {1, 10, 100, 1000});  // logspace
    is(exp(linspace(std::log(1.), std::log(8.), 4)), {1, 2, 4, 8});      // geomspace
    const auto x = longs({1, 2, 3}), y = longs({4, 5, 6});
    is(flatten(stack(x, y)), {1, 2, 3, 4, 5, 6});                                          // vstack
    is(flatten(concat(m, m, 1)), {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});                    // hstack
    is(flatten(transpose(stack(x, y))), {1, 4, 2, 5, 3, 6});                               // column_stack
    is(flatten(transpose(stack(m, m), {1, 2, 0})), {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});  // dstack
    is(concat(take(x, 1), y, drop(x, 1)), {1, 4, 5, 6, 2, 3});                             // insert
    is(concat(take(x, 1), drop(x, 2)), {1, 3});                                            // delete
    is(flatten(reverse(transpose(m), axis(0))), {2, 5, 1, 4, 0, 3});                       // rot90
}

TEST_CASE("NumPy's functions: reading and choosing", "[numpy]") {
    const Array<Long, 2> m = matrix();
    const auto indices = run(reshape(longs({2, 0, 1, 1}), shape(2, 2)));
    is(flatten(vmap([](auto row, auto at) { return gather(at, row); }, m, indices)), {2, 0, 4, 4});  // take_along_axis
    is(flatten(vmap([](auto row, auto at, auto v) { return scatter(row, at, v); }, m,
                    run(reshape(longs({2, 0, 1, 0}), shape(2, 2))), run(reshape(longs({7, 8, 9, 6}), shape(2, 2))))),
       {8, 1, 7, 6, 9, 5});  // put_along_axis
    const auto x = longs({3, 0, -2, 0, 5});
    const auto mask = run(x != 0);
    is(compact(x != 0, iota(5)), {0, 2, 4});                                         // nonzero
    is(scatter(x, compact(mask, iota(5)), longs({7, 8, 9})), {7, 0, 8, 0, 9});       // place
    is(select(x == 0, 0 - iota(5), select(x > 0, x, x * 10)), {3, -1, -20, -3, 5});  // select
    is(map([](auto v) { return cond(v < 0, [=] { return v * v; }, [=] { return v + 1; }); }, x),
       {4, 1, 4, 1, 6});  // piecewise
}

TEST_CASE("NumPy's functions: statistics and sets", "[numpy]") {
    const auto x = doubles({3, 1, 4, 1, 5}), weights = doubles({1, 1, 2, 0, 1});
    is(sum(x * weights) / sum(weights), {17. / 5});                       // average
    is(quantile(x, 25. / 100), {1});                                      // percentile
    is(max(x) - min(x), {4});                                             // ptp
    is(count(x != 1.), {3});                                              // count_nonzero
    is(select(isnan(doubles({1, NAN})), 0., doubles({1, NAN})), {1, 0});  // nan_to_num
    const auto edges = doubles({0, 2, 4, 6});
    is(histogram(3, std::plus<>{}, Long(0), digitize(x, edges) - 1, fill(shape(5), Long(1)), Outside::drop), {2, 1, 2});
    is(gather(argpartition(x, 1), x), {1, 1, 3, 4, 5});                         // partition
    is(argsort(zip(longs({2, 1, 2, 1}), longs({0, 9, -1, 8}))), {3, 1, 2, 0});  // lexsort
    const auto a = longs({5, 2, 7, 2}), b = longs({2, 9, 5});
    const auto in_b = [=](const auto& of) {
        return vmap([=](auto v) { return any(map([=](auto w) { return v == w; }, b))(); }, of);  // isin
    };
    is(in_b(a), {true, true, false, true});
    const auto distinct = run(unique(a));
    is(compact(in_b(distinct), distinct), {2, 5});  // intersect1d
    is(compact(!in_b(distinct), distinct), {7});    // setdiff1d
    is(unique(concat(a, b)), {2, 5, 7, 9});         // union1d
}

TEST_CASE("NumPy's functions: linear algebra", "[numpy]") {
    const auto x = doubles({1, 2, 3}), y = doubles({4, 5, 7});
    is(rotate(x, 1) * rotate(y, 2) - rotate(x, 2) * rotate(y, 1), {-1, 5, -3});  // cross
    const Array<double, 2> a = from(Doubles{1, 2, 3, 4}, shape(2, 2)), b = from(Doubles{0, 1, 1, 0}, shape(2, 2));
    is(flatten(reshape(einsum("ij,kl->ikjl", a, b), shape(4, 4))),
       {0, 1, 0, 2, 1, 0, 2, 0, 0, 3, 0, 4, 3, 0, 4, 0});                                                     // kron
    is(flatten(map_indexed([](auto i, auto j, auto v) { return select(j <= i, v, 0.); }, a)), {1, 0, 3, 4});  // tril
    is(flatten(for_loop(3, [=](auto, auto p) { return matmul(p, a); }, eye(2))), {37, 54, 81, 118});          // matrix_power
    const Array<double, 2> tall = from(Doubles{1, 0, 0, 2, 0, 0}, shape(3, 2));
    auto [u, s, v] = svd(tall);
    is(flatten(einsum("ij,j,kj->ik", v, 1. / s, u)), {1, 0, 0, 0, 0.5, 0});                                      // pinv
    is(flatten(generate(shape(2, 2), [=](auto i, auto j) { return select(i == j, x(i), 0.); })), {1, 0, 0, 2});  // diag
}

TEST_CASE("NumPy's functions: of elements", "[numpy]") {
    const auto x = doubles({-1.5, 0, 2.125}), y = doubles({2, NAN, 1});
    const double pi = std::numbers::pi;
    is(rint(x * 100.) / 100., {-1.5, 0, 2.12});                              // round
    is(select(isnan(x), y, select(isnan(y), x, max(x, y))), {2, 0, 2.125});  // fmax
    is(select(x < 0., 0., select(x > 0., 1., 0.5)), {0, 0.5, 1});            // heaviside
    is(select(x == 0., 1., sin(x * pi) / (x * pi)),
       {std::sin(1.5 * pi) / (1.5 * pi), 1, std::sin(2.125 * pi) / (2.125 * pi)});
    is(all(abs(x - x) <= 1e-8 + 1e-5 * abs(x)), {true});  // allclose
    const auto p = doubles({2, 0, -1});
    is(map([=](auto t) { return for_loop(size(p), [=](auto k, auto total) { return total * t + p(k); }, Exp<double>(0.)); },
           x),
       {3.5, -1, 8.03125});  // polyval
    is(stencil([](auto e) { return (e(1) - e(-1)) / 2.; }, boundary::clamp, doubles({1, 2, 4, 7})), {0.5, 1.5, 2.5, 1.5});
}
