// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes into the smallest or largest element of each line: only that element has an adjoint.
#include "derivatives/support.hpp"

namespace derivatives {

namespace {

/// Row i is x, but each element a little further on: a matrix of x with `rows` rows.
D2 rows_of(D1 x, Long rows) {
    return generate(shape(rows, size(x)),
                    [=](auto i, auto j) { return x(j) * (cast<double>(i) * 0.4 + 1.0) + x((i + j) % size(x)); });
}

/// Squared distances between the elements of two arrays, as sums over a third axis.
D2 distances(D1 points, D1 centres) {
    auto squared = [](D1 a, D1 b) {
        const D1 d = a - b;
        return sum(d * d);
    };
    auto pair = [](auto a) { return generate(shape(3), [=](auto k) { return a * (cast<double>(k) + 0.5); }); };
    const D2 p = vmap(pair, points), c = vmap(pair, centres);
    return vmap([=](D1 each) { return vmap([=](D1 centre) { return squared(each, centre); }, c); }, p);
}

}  // namespace

TEST_CASE("derivatives of extrema along an axis", "[derivatives]") {
    for (Long n : {1, 2, 7, 20}) {
        CAPTURE(n);
        const Inputs inputs{.n = n};
        check(
            [](D1 x) { return vmap([](D1 row) { return min(map([](D0 a) { return sin(a) * a; }, row)); }, rows_of(x, 3)); },
            inputs);
        check([](D1 x) { return max(rows_of(x, 3), axis(0)); }, inputs);
        check(
            [](D1 x) {
                const D0 scale = sum(x)();
                return vmap([=](D1 row) { return max(map([=](D0 a) { return cos(a * scale); }, row)); }, rows_of(x, 4));
            },
            inputs);
        check([](D1 x) { return min(transpose(map([](D0 a) { return a * a * a; }, rows_of(x, 3))), axis(0)); }, inputs);
        check(
            [](D1 x) {  // of k-means: with respect to points and centres
                return vmap([](D1 row) { return min(row); }, distances(x, map([](D0 a) { return a * a - 0.3; }, x)));
            },
            inputs);
        check(
            [](D1 x) {  // what it is the largest of is used elsewhere, too
                const D2 m = map([](D0 a) { return exp(a); }, rows_of(x, 3));
                const D1 most = vmap([](D1 row) { return max(row); }, m), sums = vmap([](D1 row) { return sum(row); }, m);
                return most * sums;
            },
            inputs);
    }
}

TEST_CASE("derivatives of extrema of nothing, of ties and of what is infinite", "[derivatives]") {
    auto least = [](D1 row) { return fold([](auto a, auto b) { return min(a, b); }, 100.0, row); };
    auto nearest = [=](D1 x, D1 centres) { return sum(vmap(least, distances(x, centres))); };
    const Array<double> none = from(std::vector<double>{}), x = from(std::vector<double>{0.5, 2});
    for (Target target : targets()) {
        CAPTURE(target.number);
        const auto [of_x, of_none] = grad<0, 1>(nearest)(x, none);
        CHECK(run(of_x, {.target = target}).to_vector() == std::vector<double>{0, 0});
        CHECK(run(of_none, {.target = target}).to_vector().empty());
        const Array<double> far = from(std::vector<double>{100});  // the initial value is less
        CHECK(run(std::get<1>(grad<0, 1>(nearest)(x, far)), {.target = target}).to_vector() == std::vector<double>{0});
        const Array<double> tie = from(std::vector<double>{1, 1});
        const auto [at_x, at_tie] = grad<0, 1>(nearest)(x, tie);  // 8.75 (x - c)^2
        CHECK(run(at_tie, {.target = target}).to_vector() == std::vector<double>{-8.75, 0});
        CHECK(run(at_x, {.target = target}).to_vector() == std::vector<double>{-8.75, 17.5});
        auto largest = [](D1 y) {
            return sum(vmap([](D1 row) { return max(row); }, vmap([&](auto a) { return log(y * a); }, y)));
        };
        const Array<double> zero = from(std::vector<double>{0, 2});  // log 0 twice, and log 4
        CHECK(run(grad(largest)(zero), {.target = target})(1) == Approx(1));
    }
}

TEST_CASE("second derivatives of extrema", "[derivatives]") {
    auto cost = [](D1 x) {
        return sum(vmap([](D1 row) { return min(row); }, distances(x, map([](D0 a) { return sin(3.0 * a); }, x))));
    };
    check([=](D1 x) { return grad(cost)(x); }, {.n = 6, .tolerance = 1e-11});
    const Array<double> at = from(scattered(5, -1, 1));
    const auto h = run(hessian(cost)(at));
    for (Long i = 0; i < 5; ++i)
        for (Long j = 0; j < i; ++j) CHECK(h(i, j) == Approx(h(j, i)));
}

}  // namespace derivatives
